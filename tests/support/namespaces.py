"""Commands that give a command file systems or a network of its own, gone when it ends."""

import subprocess
from functools import cache

# Root makes namespaces directly; others need a user namespace, where the system allows it.
_WAYS = ("unshare", "unshare --map-root-user")


@cache
def way(option: str) -> str | None:
    """How `unshare` is called for this option, None where the system forbids it."""
    for call in _WAYS:
        command = [*call.split(), *option.split()]
        trial = ["sh", "-c", "mount -t tmpfs tmpfs /tmp"] if "mount" in option else ["true"]
        try:
            done = subprocess.run([*command, *trial], capture_output=True, check=False)
        except FileNotFoundError:
            return None
        if done.returncode == 0:
            return f"{call} {option}"
    return None


def small_disk(folder: str, size: str) -> str:
    """Prefix: `folder` is an empty disk of `size`."""
    return _mounted(folder, f"mount -t tmpfs -o size={size} tmpfs {folder}")


def read_only(folder: str) -> str:
    """Prefix: `folder` can't be written."""
    return _mounted(folder, f"mount --bind {folder} {folder} && mount -o remount,bind,ro {folder}")


def offline() -> str:
    """Prefix: there is no network."""
    return str(way("--net"))


def _mounted(folder: str, mount: str) -> str:
    return f"{way('--mount')} sh -c 'mkdir -p {folder} && {mount} && exec \"$@\"' sh"
