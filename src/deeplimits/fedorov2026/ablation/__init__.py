"""The attention-only network with value noise, trained on images: draws, network and training.

JAX takes about a second to import and every start of the chain imports every experiment, so the
experiment imports this package inside `simulate` only. A job may use one thread, and XLA sizes its
pools when it starts: the settings stand here because a package runs before its modules, in
whatever order those import JAX.
"""

import os

os.environ["NPROC"] = "1"  # threads of XLA's pools
os.environ["XLA_FLAGS"] = " ".join(
    [os.environ.get("XLA_FLAGS", ""), "--xla_cpu_multi_thread_eigen=false"]
).strip()
