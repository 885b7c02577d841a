import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.bson.BsonDecoder;
import de.bwaldvogel.mongo.wire.bson.BsonEncoder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.WriteBuffer;
import org.h2.mvstore.type.BasicDataType;
import org.h2.mvstore.type.ObjectDataType;

/**
 * Documents in the file as they are on the wire. Every write of one writes the whole page that it is
 * on, and Java's own serialisation, the library's way, takes many times as long and as much room.
 */
final class DocumentType extends BasicDataType<Document> {
  /** Before each; no type that H2 knows begins so. */
  private static final byte TAG = 127;

  /** Roughly, of one in memory; decides on how many share a page. */
  private static final int MEMORY_BYTES = 2_000;

  /** Files from before this type have all of their documents, or some, in this one. */
  private final ObjectDataType earlier = new ObjectDataType();

  @Override
  public int getMemory(Document document) {
    return MEMORY_BYTES;
  }

  @Override
  public void write(WriteBuffer file, Document document) {
    ByteBuf buffer = Unpooled.buffer();
    try {
      BsonEncoder.encodeDocument(document, buffer);
      byte[] bytes = ByteBufUtil.getBytes(buffer);
      file.put(TAG).putVarInt(bytes.length).put(bytes);
    } finally {
      buffer.release();
    }
  }

  @Override
  public Document read(ByteBuffer file) {
    if (file.get(file.position()) != TAG) return (Document) earlier.read(file);
    file.get();
    byte[] bytes = new byte[DataUtils.readVarInt(file)];
    file.get(bytes);
    return BsonDecoder.decodeBson(Unpooled.wrappedBuffer(bytes));
  }

  @Override
  public Document[] createStorage(int size) {
    return new Document[size];
  }
}
