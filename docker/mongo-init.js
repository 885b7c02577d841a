// Run by mongosh on the machine of the first member: makes the replica set, its administrator and the server's user.
// What is there already stays; a changed password of the server's user is set.
const { MEMBERS, ADMIN_PASSWORD, SERVER_PASSWORD } = process.env;
const set = `mongodb://admin:${encodeURIComponent(ADMIN_PASSWORD)}@${MEMBERS}/admin?replicaSet=tapedeck`;

function makeSet() {
  try {
    rs.initiate({ _id: "tapedeck", members: MEMBERS.split(",").map((host, n) => ({ _id: n + 1, host })) });
  } catch (error) {
    if (error.codeName !== "AlreadyInitialized") throw error;
  }
  while (!db.hello().isWritablePrimary) sleep(200);
  db.getSiblingDB("admin").createUser({ user: "admin", pwd: ADMIN_PASSWORD, roles: ["root"] });
}

let admin;
try {
  admin = connect(`${set}&serverSelectionTimeoutMS=5000`);
} catch {
  // No replica set yet, or no user.
  makeSet();
  admin = connect(set);
}
const database = admin.getSiblingDB("tapedeck");
const server = { pwd: SERVER_PASSWORD, roles: [{ role: "readWrite", db: "tapedeck" }] };
if (database.getUser("tapedeck") === null) database.createUser({ user: "tapedeck", ...server });
else database.updateUser("tapedeck", server);
