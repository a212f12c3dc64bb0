# The generic rules, one a stage. `stage_parameters` gives each its specification, which the stage
# reads from standard input because it can grow, and its `key`, which decides about rerunning.


# Light enough for a login node; everything else is submitted where the chain runs on a cluster.
localrules:
    grid,
    typeset,
    judge,
    summarize,
    report,


wildcard_constraints:
    paper=session.alternatives(CHAIN.papers),
    experiment=session.alternatives(CHAIN.names("aggregate")),
    job="[0-9a-f]{12}",
    figure=session.alternatives(CHAIN.names("plot")),
    table=session.alternatives(CHAIN.names("typeset")),


rule grid:
    output:
        f"{RESULTS}/{{paper}}/grids/{{experiment}}.parquet",
    log:
        f"{LOGS}/{{paper}}/grid/{{experiment}}.log",
    benchmark:
        f"{BENCHMARKS}/grid/{{experiment}}.tsv"
    conda:
        ENVIRONMENT
    resources:
        **OTHER,
    params:
        **stage_parameters("grid", "paper", "experiment"),
    shell:
        session.call("grid --output {output:q}")


rule simulate:
    output:
        f"{RESULTS}/{{paper}}/jobs/{{experiment}}/{{job}}.parquet",
    log:
        f"{LOGS}/{{paper}}/simulate/{{experiment}}/{{job}}.log",
    benchmark:
        f"{BENCHMARKS}/simulate/{{experiment}}/{{job}}.tsv"
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        **SIMULATION,
    params:
        **stage_parameters("simulate", "paper", "experiment", "job"),
    shell:
        session.call("simulate --output {output:q}")


rule aggregate:
    input:
        inputs("aggregate", "paper", "experiment"),
    output:
        f"{RESULTS}/{{paper}}/{{experiment}}.parquet",
    log:
        f"{LOGS}/{{paper}}/aggregate/{{experiment}}.log",
    benchmark:
        f"{BENCHMARKS}/aggregate/{{experiment}}.tsv"
    conda:
        ENVIRONMENT
    resources:
        **OTHER,
    params:
        **stage_parameters("aggregate", "paper", "experiment"),
    shell:
        session.call("aggregate --output {output:q}")


rule estimate:
    input:
        inputs("estimate", "paper", "experiment"),
    output:
        f"{RESULTS}/{{paper}}/{{experiment}}_estimates.parquet",
    log:
        f"{LOGS}/{{paper}}/estimate/{{experiment}}.log",
    benchmark:
        f"{BENCHMARKS}/estimate/{{experiment}}.tsv"
    conda:
        ENVIRONMENT
    resources:
        **OTHER,
    params:
        **stage_parameters("estimate", "paper", "experiment"),
    shell:
        session.call("estimate --output {output:q}")


rule plot:
    input:
        inputs("plot", "paper", "figure"),
    output:
        pdf=f"{FIGURES}/{{paper}}/{{figure}}.pdf",
        png=report(
            f"{FIGURES}/{{paper}}/{{figure}}.png",
            caption="../report/figure.rst",
            category="{paper}",
            labels={"figure": "{figure}"},
        ),
    log:
        f"{LOGS}/{{paper}}/plot/{{figure}}.log",
    benchmark:
        f"{BENCHMARKS}/plot/{{figure}}.tsv"
    conda:
        ENVIRONMENT
    resources:
        **OTHER,
    params:
        **stage_parameters("plot", "paper", "figure"),
        caption=lambda wildcards: CHAIN.captions[wildcards.paper][wildcards.figure],
    shell:
        session.call("plot --pdf {output.pdf:q} --png {output.png:q}")


rule typeset:
    input:
        inputs("typeset", "paper", "table"),
    output:
        csv=f"{RESULTS}/{{paper}}/{{table}}.csv",
        tex=f"{RESULTS}/{{paper}}/{{table}}.tex",
    log:
        f"{LOGS}/{{paper}}/typeset/{{table}}.log",
    benchmark:
        f"{BENCHMARKS}/typeset/{{table}}.tsv"
    conda:
        ENVIRONMENT
    resources:
        **OTHER,
    params:
        **stage_parameters("typeset", "paper", "table"),
    shell:
        session.call("typeset --csv {output.csv:q} --tex {output.tex:q}")


rule judge:
    input:
        inputs("judge", "paper"),
    output:
        f"{RESULTS}/{{paper}}/claims.parquet",
    log:
        f"{LOGS}/{{paper}}/judge.log",
    benchmark:
        f"{BENCHMARKS}/judge.tsv"
    conda:
        ENVIRONMENT
    resources:
        **OTHER,
    params:
        **stage_parameters("judge", "paper"),
    shell:
        session.call("judge --output {output:q}")


rule summarize:
    input:
        inputs("summarize"),
    output:
        parquet=f"{RESULTS}/claims.parquet",
        page=f"{RESULTS}/claims.md",
    log:
        f"{LOGS}/summarize.log",
    benchmark:
        f"{RESULTS}/benchmarks/summarize.tsv"
    conda:
        ENVIRONMENT
    resources:
        **OTHER,
    params:
        **stage_parameters("summarize"),
    shell:
        session.call("summarize --output {output.parquet:q} --page {output.page:q}")


rule report:
    input:
        inputs("report"),
    output:
        f"{RESULTS}/report.html",
    log:
        f"{LOGS}/report.log",
    benchmark:
        f"{RESULTS}/benchmarks/report.tsv"
    conda:
        ENVIRONMENT
    resources:
        **OTHER,
    params:
        **stage_parameters("report"),
    shell:
        session.call("report --output {output:q}")
