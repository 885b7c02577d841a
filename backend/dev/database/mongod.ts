/**
 * As who a connection signs in that knows the content of the key file: a member of a cluster, which may do everything
 * and is no user in the data. A mongod alone takes it too, since 3.0.
 */
export const MONGOD_SIGN_IN = { user: "__system", query: "?authSource=local" };

/**
 * Command of a real mongod on this machine. It chooses a free port and logs it. The cache has 0.5 GB instead of half
 * the memory.
 * @param keyFile its content is the password; a mongod refuses a file that others may read
 */
export function mongodCommand(program: string, folder: string, keyFile: string): readonly [string, ...string[]] {
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
    "--keyFile",
    keyFile,
    // Without users in its data, it would let whoever is on this machine make the first one.
    "--setParameter",
    "enableLocalhostAuthBypass=false",
  ];
}
