# One chain for every experiment of every paper:
#   config.yaml → grid → simulate → aggregate (→ estimate) → plot, typeset → judge → summarize
# The plan (src/deeplimits/plan.py) works out every step, its key and its files; the rules run them.

import sys
from pathlib import Path

from snakemake.utils import min_version

min_version("9.25")


configfile: "config.yaml"


# This checkout's package, also where another checkout is the installed one.
sys.path.insert(0, str(Path(workflow.basedir) / "src"))

from deeplimits import session

CHAIN = session.load(config, workflow.configfiles)

# The interpreter that runs Snakemake runs the stages, whatever PATH says.
shell.prefix(session.shell_prefix())


include: "workflow/rules/common.smk"
include: "workflow/rules/chain.smk"


rule all:
    default_target: True
    input:
        [CHAIN.targets(paper) for paper in CHAIN.papers],
        CHAIN.call("summarize").outputs,
        CHAIN.call("report").outputs,


for paper in CHAIN.papers:

    rule:
        name:
            paper
        input:
            CHAIN.targets(paper),
