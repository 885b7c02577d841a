import de.bwaldvogel.mongo.MongoDatabase;
import de.bwaldvogel.mongo.backend.CollectionOptions;
import de.bwaldvogel.mongo.backend.CursorRegistry;
import de.bwaldvogel.mongo.backend.Index;
import de.bwaldvogel.mongo.backend.QueryResult;
import de.bwaldvogel.mongo.backend.h2.H2Collection;
import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import java.util.function.Supplier;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;

/** The library's H2 collection, safe to read while another thread changes it or H2 writes its file. */
final class EmbeddedCollection extends H2Collection {
  private final MVStore store;

  EmbeddedCollection(
      MongoDatabase database,
      String name,
      CollectionOptions options,
      MVMap<Object, Document> documents,
      MVMap<String, Object> meta,
      CursorRegistry cursors) {
    super(database, name, options, documents, meta, cursors);
    this.store = documents.getStore();
  }

  /** The library counts without this lock. */
  @Override
  protected synchronized QueryResult queryDocuments(
      Document query, Document orderBy, int skip, int limit, int batchSize, Document fields) {
    return withPagesKept(() -> super.queryDocuments(query, orderBy, skip, limit, batchSize, fields));
  }

  /** The library fills a new index without this lock. */
  @Override
  public synchronized void addIndex(Index<Object> index) {
    withPagesKept(() -> {
      super.addIndex(index);
      return index;
    });
  }

  /** Returns copies: the library changes found documents in place, while H2 writes them or a reply encodes them. */
  @Override
  protected QueryResult createQueryResult(List<Document> found, int batchSize) {
    return super.createQueryResult(found.stream().map(Document::cloneDeeply).toList(), batchSize);
  }

  /** Without a registered version, H2 may remove a page that a long read has yet to reach. */
  private <Result> Result withPagesKept(Supplier<Result> read) {
    MVStore.TxCounter version = store.registerVersionUsage();
    try {
      return read.get();
    } finally {
      store.deregisterVersionUsage(version);
    }
  }
}
