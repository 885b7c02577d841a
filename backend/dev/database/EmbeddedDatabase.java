import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.AbstractMongoBackend;
import java.net.InetSocketAddress;
import java.util.List;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;

/**
 * mongo-java-server on one H2 file, for machines without a mongod.
 *
 * <p>Argument: the file. The environment has the password. Listens on a free port of 127.0.0.1,
 * prints "listening PORT" once it takes connections, closes the file cleanly on SIGTERM, and ends when the file can no longer be written.
 */
public final class EmbeddedDatabase {
  /** How often H2 looks for space in its file that it can use again; H2's own default. */
  private static final int HOUSEKEEPING_MS = 1_000;

  private static final int STORE_CHECK_MS = 200;

  /** Only this user sees the environment of a process; everybody sees its arguments. */
  private static final String PASSWORD = "DATABASE_PASSWORD";

  /** In the name of every map that holds an index: "database.collection._index_name". */
  private static final String INDEX_MAP = "._index_";

  public static void main(String[] args) throws InterruptedException {
    MVStore store = open(args[0]);
    removeIndexes(store);
    store.setAutoCommitDelay(HOUSEKEEPING_MS);
    AbstractMongoBackend backend = new EmbeddedBackend(store, System.getenv(PASSWORD));
    backend.version(new Version());
    MongoServer server = new MongoServer(backend);
    Runtime.getRuntime().addShutdownHook(new Thread(server::shutdownNow));
    server.bind(new InetSocketAddress("127.0.0.1", 0));
    System.out.println("listening " + server.getLocalAddress().getPort());
    // H2 closes its file for good after a failed write, and every call would fail from then on.
    while (!store.isClosed()) Thread.sleep(STORE_CHECK_MS);
    endWithoutFile();
  }

  /** Ends at once, so that no call is answered from changes that are in memory only. */
  static void endWithoutFile() {
    System.err.println("the file can no longer be written, perhaps because the disk is full");
    Runtime.getRuntime().halt(1);
  }

  /** Prints one line instead of a stack when the file cannot be used: the server shows the last line. */
  private static MVStore open(String file) {
    try {
      // H2's housekeeping fails, and closes the file, when it meets a map that is just being removed.
      return new MVStore.Builder().fileName(file).autoCommitDisabled().open();
    } catch (MVStoreException error) {
      Throwable cause = error.getCause() == null ? error : error.getCause();
      System.err.println("the file cannot be used: " + error.getMessage() + " (" + cause + ")");
      Runtime.getRuntime().halt(1);
      return null;
    }
  }

  /**
   * A kill between the write of a document and the write of its index entries leaves one without the
   * other in the file. The server rebuilds a missing index from the documents.
   */
  private static void removeIndexes(MVStore store) {
    for (String name : store.getMapNames()) {
      if (name.contains(INDEX_MAP)) store.removeMap(name);
    }
    store.commit();
  }

  /** The library reports wire version 8, which current drivers refuse, although it speaks their protocol. */
  private static final class Version implements MongoVersion {
    @Override
    public List<Integer> getVersionArray() {
      return List.of(5, 0, 0);
    }

    @Override
    public int getWireVersion() {
      return 13;
    }
  }
}
