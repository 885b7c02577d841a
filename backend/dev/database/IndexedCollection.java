import de.bwaldvogel.mongo.MongoDatabase;
import de.bwaldvogel.mongo.backend.CollectionOptions;
import de.bwaldvogel.mongo.backend.CursorRegistry;
import de.bwaldvogel.mongo.backend.DocumentWithPosition;
import de.bwaldvogel.mongo.backend.Index;
import de.bwaldvogel.mongo.backend.QueryResult;
import de.bwaldvogel.mongo.backend.h2.H2Collection;
import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;

/**
 * A collection that reads the documents which an index names, in place of all. Whatever an index
 * names is still held against the whole query, and comes in the order in which a scan would find it.
 */
final class IndexedCollection extends H2Collection {
  /** What the aggregation that this thread is about to run reads of its collection. */
  private static final ThreadLocal<Document> FIRST_MATCH = new ThreadLocal<>();

  /** Up to so many entries are counted to find the index with the fewest. */
  private static final int MOST_COUNTED = 256;

  /** Beside a unique index of several fields, for queries on the first of them. */
  private static final String LEADING = " by its leading fields";

  private final MVMap<Object, Document> documents;
  private final List<OrderedIndex> ordered = new ArrayList<>();

  IndexedCollection(
      MongoDatabase database,
      String name,
      CollectionOptions options,
      MVMap<Object, Document> documents,
      MVMap<String, Object> meta,
      CursorRegistry cursors) {
    super(database, name, options, documents, meta, cursors);
    this.documents = documents;
  }

  static Document readingOnly(Document match, Supplier<Document> aggregation) {
    FIRST_MATCH.set(match);
    try {
      return aggregation.get();
    } finally {
      FIRST_MATCH.remove();
    }
  }

  @Override
  public Stream<Document> queryAllAsStream() {
    Document match = FIRST_MATCH.get();
    // Later stages may read other documents, also of this collection.
    FIRST_MATCH.remove();
    return match == null ? super.queryAllAsStream() : handleQueryAsStream(match);
  }

  /** H2 may take away the page that a long read comes to next, unless it knows of the read. */
  private <Result> Result reading(Supplier<Result> work) {
    MVStore store = documents.getStore();
    MVStore.TxCounter version = store.registerVersionUsage();
    try {
      return work.get();
    } finally {
      store.deregisterVersionUsage(version);
    }
  }

  @Override
  public synchronized void addIndex(Index<Object> index) {
    reading(() -> {
      super.addIndex(index);
      return index;
    });
    if (index.isUnique() && index.getKeys().size() > 1) {
      super.addIndex(new OrderedIndex(index.getName() + LEADING, index.getKeys(), false));
    }
    listOrdered();
  }

  @Override
  public synchronized void dropIndex(String name) {
    super.dropIndex(name);
    if (ordered.stream().anyMatch(index -> index.getName().equals(name + LEADING))) super.dropIndex(name + LEADING);
    listOrdered();
  }

  private void listOrdered() {
    ordered.clear();
    for (Index<Object> index : getIndexes()) {
      if (index instanceof OrderedIndex one) ordered.add(one);
    }
  }

  /** All of them in one pass, the first time that one could be of use: opening a large file stays quick. */
  private void fillIndexes() {
    List<OrderedIndex> unfilled = ordered.stream().filter(index -> !index.isFilled()).toList();
    if (unfilled.isEmpty()) return;
    for (OrderedIndex index : unfilled) index.beginFilling();
    try (Stream<DocumentWithPosition<Object>> all = streamAllDocumentsWithPosition()) {
      all.forEach(one -> unfilled.forEach(index -> index.add(one.getDocument(), one.getPosition(), this)));
    } catch (RuntimeException broken) {
      unfilled.forEach(OrderedIndex::giveUpFilling);
      throw broken;
    }
  }

  @Override
  protected synchronized QueryResult queryDocuments(
      Document query, Document orderBy, int skip, int limit, int batchSize, Document fields) {
    return reading(() -> queryByIndex(query, orderBy, skip, limit, batchSize, fields));
  }

  /** Copies: the library changes what it has found, which H2 may be writing and a client be reading. */
  @Override
  protected QueryResult createQueryResult(List<Document> found, int batchSize) {
    return super.createQueryResult(found.stream().map(Document::cloneDeeply).toList(), batchSize);
  }

  private QueryResult queryByIndex(Document query, Document orderBy, int skip, int limit, int batchSize, Document fields) {
    Conditions conditions = Conditions.of(query);
    Iterable<Object> unique = positionsByUniqueIndex(conditions);
    if (unique != null) {
      return matchDocuments(query, inNaturalOrder(unique.iterator()), orderBy, skip, limit, batchSize, fields);
    }
    if (conditions.isEmpty() || ordered.isEmpty() || isNatural(orderBy)) {
      return matchDocuments(query, orderBy, skip, limit, batchSize, fields);
    }
    fillIndexes();
    IndexPlan plan = choose(conditions, orderBy, limit);
    if (plan == null) return matchDocuments(query, orderBy, skip, limit, batchSize, fields);
    if (limit > 0 && plan.isSorted()) {
      // A stream that is read one by one: it ends when the limit is reached.
      return matchDocuments(query, () -> plan.sortedPositions(documents.getKeyType()), null, skip, limit, batchSize, fields);
    }
    return matchDocuments(query, inNaturalOrder(plan.positions()), orderBy, skip, limit, batchSize, fields);
  }

  private static boolean isNatural(Document orderBy) {
    return orderBy != null && orderBy.containsKey("$natural");
  }

  private TreeSet<Object> inNaturalOrder(Iterator<Object> positions) {
    TreeSet<Object> sorted = new TreeSet<>(documents.getKeyType());
    positions.forEachRemaining(sorted::add);
    return sorted;
  }

  /** Null unless the query names a value, or several, for each field of a unique index. The library asks this of whole queries only. */
  private Iterable<Object> positionsByUniqueIndex(Conditions conditions) {
    for (Index<Object> index : getIndexes()) {
      if (!index.isUnique()) continue;
      Document asked = conditions.asked(index.getKeys());
      if (asked != null && index.canHandle(asked)) return index.getPositions(asked);
    }
    return null;
  }

  /** The plan that reads least, or null. */
  private IndexPlan choose(Conditions conditions, Document orderBy, int limit) {
    List<IndexPlan> plans = plansFor(conditions, orderBy);
    if (plans.isEmpty()) return null;
    List<Iterator<Object>> counted = plans.stream().map(IndexPlan::positions).toList();
    for (int count = 0; count < MOST_COUNTED; count += 1) {
      for (int at = 0; at < plans.size(); at += 1) {
        if (!counted.get(at).hasNext()) return plans.get(at);
        counted.get(at).next();
      }
    }
    IndexPlan best = null;
    for (IndexPlan plan : plans) {
      if (limit > 0 && plan.isSorted()) return plan;
      if (best == null || plan.boundFields() > best.boundFields()) best = plan;
    }
    return best;
  }

  private List<IndexPlan> plansFor(Conditions conditions, Document orderBy) {
    List<IndexPlan> plans = new ArrayList<>();
    for (OrderedIndex index : ordered) {
      IndexPlan plan = index.plan(conditions, orderBy);
      if (plan != null) plans.add(plan);
    }
    for (List<Conditions> alternatives : conditions.alternatives()) {
      List<IndexPlan> halves = new ArrayList<>();
      for (Conditions alternative : alternatives) {
        IndexPlan half = choose(alternative, null, 0);
        if (half != null) halves.add(half);
      }
      if (halves.size() == alternatives.size()) plans.add(IndexPlan.ofAll(halves));
    }
    return plans;
  }
}
