#!/bin/bash
# Snakemake itself as a job, so that nothing has to stay logged in:
#   sbatch profiles/slurm/controller.sh [targets and options of snakemake]
#SBATCH --job-name=deeplimits
#SBATCH --cpus-per-task=2
#SBATCH --mem=2000
#SBATCH --time=1-00:00:00
#SBATCH --output=deeplimits-%j.log
set -euo pipefail

cd "$SLURM_SUBMIT_DIR"
exec "${SNAKEMAKE:-.venv/bin/snakemake}" "$@" --workflow-profile profiles/slurm
