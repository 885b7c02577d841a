/**
 * Command of a real mongod on this machine. It chooses a free port and logs it. The cache has 0.5 GB instead of half
 * the memory.
 */
export function mongodCommand(program: string, folder: string): readonly [string, ...string[]] {
  return [
    program,
    "--dbpath",
    folder,
    "--bind_ip",
    "127.0.0.1",
    "--port",
    "0",
    "--nounixsocket",
    "--wiredTigerCacheSizeGB",
    "0.5",
  ];
}
