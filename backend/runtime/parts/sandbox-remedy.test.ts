import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { sandboxRemedy } from "./sandbox-remedy.ts";

it.each([
  ["no sandbox (spawn bwrap ENOENT)", "install bubblewrap"],
  ["no sandbox (bwrap: setting up uid map: Permission denied)", "docker/apparmor-bwrap"],
  ["no sandbox (bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted)", "docker/apparmor-bwrap"],
  [
    "no sandbox (bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC))",
    "user.max_user_namespaces",
  ],
  ["no sandbox (bwrap: Creating new namespace failed: Operation not permitted)", "switch nesting on"],
  [
    "no sandbox (bwrap: No permissions to create new namespace, likely because the kernel does not allow non-privileged " +
      "user namespaces. On e.g. debian this can be enabled with 'sysctl kernel.unprivileged_userns_clone=1'.)",
    "kernel.unprivileged_userns_clone=1",
  ],
  ["no sandbox (bwrap: Failed to make / slave: Permission denied)", "mounts in a namespace are refused"],
  ["no sandbox (bwrap: Can't mount tmpfs on /newroot: Operation not permitted)", "mounts in a namespace are refused"],
  ["no sandbox (bwrap: pivot_root: Operation not permitted)", "mounts in a namespace are refused"],
  ["no filter of system calls (bwrap: prctl(PR_SET_SECCOMP): Invalid argument)", "another kernel"],
  ["no filter of system calls on mips", "another kernel"],
])("says what helps against: %s", (missing, remedy) => {
  expect(sandboxRemedy(missing)).toContain(remedy);
  expect(sandboxRemedy(missing)).toMatch(/\(see "Sandbox" in docker\/README\.md\)$/);
});

it("names the manual where the words are not known", () => {
  expect(sandboxRemedy("no sandbox (a program in it ended by signal)")).toBe('see "Sandbox" in docker/README.md');
});

it("knows what bubblewrap itself says where no user namespace may be made", () => {
  const script = "echo 0 > /proc/sys/user/max_user_namespaces; exec bwrap --unshare-user --ro-bind / / true";
  const { stderr, status } = spawnSync("unshare", ["--user", "--map-root-user", "sh", "-c", script], {
    encoding: "utf8",
  });
  expect(status).toBe(1);
  expect(sandboxRemedy(`no sandbox (${stderr.trim()})`)).toContain("user.max_user_namespaces");
});
