import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { descendants, listeningPorts, MARK, markedProcesses } from "./left-behind.ts";

const sleep = (env: NodeJS.ProcessEnv) => spawn("sleep", ["60"], { env, stdio: "ignore" });

it.runIf(process.platform === "linux")("finds a child process, and no longer when it has ended", async () => {
  const child = sleep({});
  await once(child, "spawn");
  await expect.poll(descendants).toContain(`${child.pid} sleep`);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(await descendants()).not.toContain(`${child.pid} sleep`);
});

it.runIf(process.platform === "linux")("finds a process of a test file whose parent has ended", async () => {
  const parent = spawn("sh", ["-c", "sleep 60 & echo $!"], { env: { ...process.env, [MARK]: "a.test.ts" } });
  const [line] = (await once(parent.stdout, "data")) as [Buffer];
  const pid = Number(line.toString());
  parent.stdout.destroy();
  await once(parent, "exit");
  await expect.poll(() => markedProcesses("a.test.ts")).toEqual([`${pid} sleep`]);
  process.kill(pid, "SIGKILL");
  await expect.poll(() => markedProcesses("a.test.ts")).toEqual([]);
});

it.runIf(process.platform === "linux")("finds a port while this process listens on it", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  expect(await listeningPorts()).toContain(port);
  server.close();
  await once(server, "close");
  expect(await listeningPorts()).not.toContain(port);
});
