/** How a real mongod is started for one machine. */

/** Port 0 lets the system choose; the log says which. Half a gigabyte of cache instead of half the memory. */
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
