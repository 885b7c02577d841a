import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.AbstractMongoBackend;
import java.net.InetSocketAddress;
import java.util.List;
import org.h2.mvstore.MVStore;

/**
 * mongo-java-server on one H2 file, for machines without a mongod.
 *
 * <p>Argument: the file. Listens on a free port of 127.0.0.1, prints "listening PORT" once it takes
 * connections, closes the file cleanly on SIGTERM, and ends when the file can no longer be written.
 */
public final class EmbeddedDatabase {
  /** A kill -9 loses at most the writes of this time; H2's own default is one second. */
  private static final int AUTO_COMMIT_DELAY_MS = 50;

  private static final int STORE_CHECK_MS = 200;

  /** In the name of every map that holds an index: "database.collection._index_name". */
  private static final String INDEX_MAP = "._index_";

  public static void main(String[] args) throws InterruptedException {
    MVStore store = new MVStore.Builder().fileName(args[0]).open();
    store.setAutoCommitDelay(AUTO_COMMIT_DELAY_MS);
    removeIndexes(store);
    AbstractMongoBackend backend = new EmbeddedBackend(store);
    backend.version(new Version());
    MongoServer server = new MongoServer(backend);
    Runtime.getRuntime().addShutdownHook(new Thread(server::shutdownNow));
    server.bind(new InetSocketAddress("127.0.0.1", 0));
    System.out.println("listening " + server.getLocalAddress().getPort());
    // H2 closes its file for good after a failed write, and every call would fail from then on.
    while (!store.isClosed()) Thread.sleep(STORE_CHECK_MS);
    System.err.println("the file can no longer be written, perhaps because the disk is full");
    Runtime.getRuntime().halt(1);
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
