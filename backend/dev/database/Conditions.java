import de.bwaldvogel.mongo.backend.IndexKey;
import de.bwaldvogel.mongo.backend.Missing;
import de.bwaldvogel.mongo.backend.ValueComparator;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.bson.ObjectId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;

/**
 * What a document must have to match a query, as far as an index can tell. What is not understood is
 * left out: fewer conditions name more documents, never too few.
 */
final class Conditions {
  private static final double LARGEST_EXACT = 1L << 53;

  private final Map<String, List<Object>> asked = new LinkedHashMap<>();
  private final List<List<Conditions>> alternatives = new ArrayList<>();

  private Conditions() {}

  static Conditions of(Document query) {
    Conditions conditions = new Conditions();
    if (query != null) conditions.add(query);
    return conditions;
  }

  private void add(Document query) {
    for (Map.Entry<String, Object> one : query.entrySet()) {
      List<Document> members = documentsIn(one.getValue());
      if (one.getKey().equals("$and")) {
        members.forEach(this::add);
      } else if (one.getKey().equals("$or") && !members.isEmpty()) {
        alternatives.add(members.stream().map(Conditions::of).toList());
      } else if (!one.getKey().startsWith("$")) {
        asked.computeIfAbsent(one.getKey(), key -> new ArrayList<>()).add(one.getValue());
      }
    }
  }

  private static List<Document> documentsIn(Object value) {
    if (!(value instanceof Collection<?> members)) return List.of();
    List<Document> documents = new ArrayList<>();
    for (Object member : members) {
      if (member instanceof Document document) documents.add(document);
    }
    // Something else among them is an error, which a scan finds.
    return documents.size() == members.size() ? documents : List.of();
  }

  boolean isEmpty() {
    return asked.isEmpty() && alternatives.isEmpty();
  }

  /** For each `$or`, what one of its members must have. */
  List<List<Conditions>> alternatives() {
    return alternatives;
  }

  /** The query on these fields alone, or null unless each is asked for one or several values other than null. */
  Document asked(List<IndexKey> keys) {
    Document query = new Document();
    for (IndexKey key : keys) {
      Collection<Object> values = valuesOf(key.getKey());
      if (values == null || values.contains(Missing.getInstance())) return null;
      query.put(key.getKey(), values.size() == 1 ? values.iterator().next() : new Document("$in", values));
    }
    return query;
  }

  /** The values of which the field has one, each once; null when it may have any. */
  Collection<Object> valuesOf(String field) {
    for (Object value : asked.getOrDefault(field, List.of())) {
      if (isPlain(value)) return List.of(Missing.ofNullable(value));
      if (!(value instanceof Document operators)) continue;
      if (operators.containsKey("$eq") && isPlain(operators.get("$eq"))) return List.of(Missing.ofNullable(operators.get("$eq")));
      if (operators.get("$in") instanceof Collection<?> values && values.stream().allMatch(Conditions::isPlain)) {
        TreeSet<Object> once = new TreeSet<>(ValueComparator.asc());
        values.forEach(one -> once.add(Missing.ofNullable(one)));
        return once;
      }
    }
    return null;
  }

  /** What the field lies between, bounds included; a null bound is none. Null when it may have any value. */
  Range rangeOf(String field) {
    Object least = null;
    Object most = null;
    boolean isBound = false;
    for (Object value : asked.getOrDefault(field, List.of())) {
      if (!(value instanceof Document operators)) continue;
      for (Map.Entry<String, Object> one : operators.entrySet()) {
        Object bound = one.getValue();
        switch (one.getKey()) {
          case "$gt", "$gte" -> {
            if (bound == null || !isPlain(bound)) continue;
            least = least == null ? bound : least;
            isBound = true;
          }
          case "$lt", "$lte" -> {
            if (bound == null || !isPlain(bound)) continue;
            most = most == null ? bound : most;
            isBound = true;
          }
          case "$ne" -> isBound |= bound == null;
          default -> {}
        }
      }
    }
    return isBound ? new Range(least, most) : null;
  }

  /** Of which null is never part. */
  record Range(Object least, Object most) {}

  /** Whether equality and order of such values are beyond doubt. */
  static boolean isPlain(Object value) {
    if (Missing.isNullOrMissing(value)) return true;
    if (value instanceof Integer || value instanceof Long || value instanceof Double) {
      double number = ((Number) value).doubleValue();
      if (Math.abs(number) >= LARGEST_EXACT || Double.isNaN(number)) return false;
      // Where one of two is a long, the library compares whole numbers only.
      return number == Math.rint(number) || Math.abs(number) < Integer.MAX_VALUE;
    }
    return value instanceof String
        || value instanceof Boolean
        || value instanceof Instant
        || value instanceof ObjectId
        || value instanceof UUID;
  }
}
