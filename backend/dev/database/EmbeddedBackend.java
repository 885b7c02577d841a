import de.bwaldvogel.mongo.MongoCollection;
import de.bwaldvogel.mongo.MongoDatabase;
import de.bwaldvogel.mongo.backend.CollectionOptions;
import de.bwaldvogel.mongo.backend.CursorRegistry;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.backend.h2.H2Database;
import de.bwaldvogel.mongo.bson.Document;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;

/**
 * The library's H2 backend with collections that are safe to read while they are written to.
 *
 * <p>Only unique indexes exist, and only a query for exactly their fields uses one. Every other query
 * reads the whole collection.
 */
final class EmbeddedBackend extends H2Backend {
  EmbeddedBackend(MVStore store) {
    super(store);
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
