/** What a machine lacks that the sandbox needs, told from bubblewrap's words, and what an operator does about it. */

interface Remedy {
  /** Of bubblewrap 0.8 to 0.12, and of Node where it cannot start it. */
  readonly words: RegExp;
  readonly remedy: string;
}

const MANUAL = '"Sandbox" in docker/README.md';

const REMEDIES: readonly Remedy[] = [
  { words: /ENOENT/, remedy: "install bubblewrap" },
  {
    // Ubuntu 23.10 and newer let the namespace be made, and take its rights.
    words: /uid map: Permission denied|RTM_NEWADDR: Operation not permitted/,
    remedy:
      "AppArmor takes the rights of user namespaces: load docker/apparmor-bwrap, which gives them to bubblewrap alone",
  },
  {
    words: /max_\*_namespaces exceeded|max_user_namespaces|No space left on device/,
    remedy: "the kernel's number of user namespaces is used up or 0: raise sysctl user.max_user_namespaces",
  },
  {
    words: /[Nn]o permissions to creat|Creating new namespace failed|unprivileged_userns_clone/,
    remedy:
      "user namespaces are refused: on Debian set sysctl kernel.unprivileged_userns_clone=1, in Docker and Podman use " +
      "docker/seccomp.json, in LXC switch nesting on",
  },
  {
    words: /make \/ slave|pivot_root|mount (?:tmpfs|proc|devpts|\S+ on)|remount|oldroot|newroot/,
    remedy: "mounts in a namespace are refused: in Docker and Podman use docker/seccomp.json and apparmor:unconfined",
  },
  {
    words: /SECCOMP|seccomp|filter of system calls on/,
    remedy: "the kernel has no filter of system calls, as gVisor and some processors: nothing but another kernel helps",
  },
];

/** @param missing what the sandbox lacks and why @returns what to do, and where the manual says more */
export function sandboxRemedy(missing: string): string {
  const known = REMEDIES.find(({ words }) => words.test(missing));
  return known ? `${known.remedy} (see ${MANUAL})` : `see ${MANUAL}`;
}
