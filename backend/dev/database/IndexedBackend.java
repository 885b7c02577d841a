import de.bwaldvogel.mongo.MongoCollection;
import de.bwaldvogel.mongo.MongoDatabase;
import de.bwaldvogel.mongo.backend.CollectionOptions;
import de.bwaldvogel.mongo.backend.CursorRegistry;
import de.bwaldvogel.mongo.backend.DatabaseResolver;
import de.bwaldvogel.mongo.backend.Index;
import de.bwaldvogel.mongo.backend.IndexKey;
import de.bwaldvogel.mongo.backend.KeyValue;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.backend.h2.H2Database;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.oplog.Oplog;
import io.netty.channel.Channel;
import java.util.List;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;

/** The library's H2 backend with indexes that are not unique, which it takes and does not use, and leaner files. */
final class IndexedBackend extends H2Backend {
  IndexedBackend(MVStore store) {
    super(store);
  }

  @Override
  protected MongoDatabase openOrCreateDatabase(String name) {
    return new IndexedDatabase(name, getMvStore(), getCursorRegistry());
  }

  /** An inner class, since its methods are called before a field of its own could be set. */
  private final class IndexedDatabase extends H2Database {
    IndexedDatabase(String name, MVStore store, CursorRegistry cursors) {
      super(name, store, cursors);
    }

    @Override
    protected MongoCollection<Object> openOrCreateCollection(String name, CollectionOptions options) {
      String fullName = getFullCollectionNamespace(name);
      MVMap<Object, Document> documents =
          getMvStore().openMap("databases." + fullName, new MVMap.Builder<Object, Document>().valueType(new DocumentType()));
      MVMap<String, Object> meta = getMvStore().openMap("meta." + fullName);
      return new IndexedCollection(this, name, options, documents, meta, cursorRegistry);
    }

    @Override
    protected Index<Object> openOrCreateUniqueIndex(String collection, String name, List<IndexKey> keys, boolean sparse) {
      // The library then finds the map open, with our type of keys.
      String mapName = getFullCollectionNamespace(collection) + EmbeddedDatabase.INDEX_MAP + name;
      getMvStore().openMap(mapName, new MVMap.Builder<KeyValue, Object>().keyType(new KeyType()));
      return super.openOrCreateUniqueIndex(collection, name, keys, sparse);
    }

    @Override
    protected Index<Object> openOrCreateSecondaryIndex(String collection, String name, List<IndexKey> keys, boolean sparse) {
      return new OrderedIndex(name, keys, sparse);
    }

    /** An aggregation reads a whole collection, also one that begins with `$match`, as every count does. */
    @Override
    public Document handleCommand(Channel channel, String command, Document query, DatabaseResolver databases, Oplog oplog) {
      if (command.equalsIgnoreCase("aggregate")
          && query.get("pipeline") instanceof List<?> stages
          && !stages.isEmpty()
          && stages.get(0) instanceof Document first
          && first.get("$match") instanceof Document match) {
        return IndexedCollection.readingOnly(match, () -> super.handleCommand(channel, command, query, databases, oplog));
      }
      return super.handleCommand(channel, command, query, databases, oplog);
    }
  }
}
