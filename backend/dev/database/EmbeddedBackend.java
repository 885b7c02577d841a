import de.bwaldvogel.mongo.MongoCollection;
import de.bwaldvogel.mongo.MongoDatabase;
import de.bwaldvogel.mongo.backend.CollectionOptions;
import de.bwaldvogel.mongo.backend.CursorRegistry;
import de.bwaldvogel.mongo.backend.QueryResult;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.backend.h2.H2Database;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import de.bwaldvogel.mongo.wire.message.MongoQuery;
import io.netty.channel.Channel;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;

/**
 * The library's H2 backend with collections that are safe to read while they are written to.
 *
 * <p>Only unique indexes exist, and only a query for exactly their fields uses one. Every other query
 * reads the whole collection.
 */
final class EmbeddedBackend extends H2Backend {
  private final SignIn signIn;

  EmbeddedBackend(MVStore store, String password) {
    super(store);
    signIn = new SignIn(password);
  }

  /**
   * Answers only after every change that the answer may tell of is in the file, so that nothing is lost that a caller
   * was told is stored, whether this process is killed or the disk is full. That holds for changes of other callers
   * too, and for errors: one may say that a document exists. The operating system writes the file to the disk later.
   */
  @Override
  public Document handleMessage(MongoMessage message) {
    try {
      return super.handleMessage(message);
    } finally {
      waitUntilInFile();
    }
  }

  /** Every command comes through here, also one in the old form, in which drivers say hello. */
  @Override
  public Document handleCommand(Channel channel, String database, String command, Document query) {
    switch (command) {
      case "saslStart":
        return signIn.start(channel, query);
      case "saslContinue":
        return signIn.finish(channel, query);
      default:
        signIn.require(channel, command);
        return super.handleCommand(channel, database, command, query);
    }
  }

  @Override
  public QueryResult handleQuery(MongoQuery query) {
    signIn.require(query.getChannel(), "find");
    return super.handleQuery(query);
  }

  /**
   * H2's own question for unsaved changes is no help: it says no as soon as a write has begun, and after a failed one.
   */
  private void waitUntilInFile() {
    MVStore store = getMvStore();
    try {
      store.commit();
      // Housekeeping writes in the background. Nothing is done here but to wait for that; it throws after a failed write.
      store.executeFilestoreOperation(() -> {});
    } catch (MVStoreException error) {
      EmbeddedDatabase.endWithoutFile();
    }
  }

  @Override
  protected MongoDatabase openOrCreateDatabase(String name) {
    return new EmbeddedMongoDatabase(name, getMvStore(), getCursorRegistry());
  }

  /** An inner class: the library's constructor already calls its methods, before a field of its own could be set. */
  private final class EmbeddedMongoDatabase extends H2Database {
    EmbeddedMongoDatabase(String name, MVStore store, CursorRegistry cursors) {
      super(name, store, cursors);
    }

    @Override
    protected MongoCollection<Object> openOrCreateCollection(String name, CollectionOptions options) {
      String fullName = getFullCollectionNamespace(name);
      MVMap.Builder<Object, Document> asBson = new MVMap.Builder<Object, Document>().valueType(new DocumentType());
      MVMap<Object, Document> documents = getMvStore().openMap("databases." + fullName, asBson);
      MVMap<String, Object> meta = getMvStore().openMap("meta." + fullName);
      return new EmbeddedCollection(this, name, options, documents, meta, cursorRegistry);
    }
  }
}
