import de.bwaldvogel.mongo.bson.BinData;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.exception.MongoServerError;
import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The password of the database, which the library does not know: SCRAM-SHA-256 (RFC 5802 and 7677), as drivers do it
 * when an address has a user. There is one password and no roles; the user's name does not matter.
 */
final class SignIn {
  /** Least that drivers accept. */
  private static final int ITERATIONS = 4_096;

  private static final int HASH_BITS = 256;
  private static final int NONCE_BYTES = 24;
  private static final int UNAUTHORIZED = 13;
  private static final int AUTHENTICATION_FAILED = 18;

  /** What a driver asks before it signs in. */
  private static final Set<String> OPEN =
      Set.of("hello", "ismaster", "buildinfo", "ping", "endsessions");

  private static final AttributeKey<Boolean> IS_SIGNED_IN = AttributeKey.valueOf("isSignedIn");
  private static final AttributeKey<String> EXCHANGE = AttributeKey.valueOf("exchange");

  private final byte[] salt = randomBytes(16);
  private final byte[] storedKey;
  private final byte[] serverKey;

  SignIn(String password) {
    byte[] salted = salted(password.toCharArray(), salt);
    storedKey = sha256(hmac(salted, "Client Key"));
    serverKey = hmac(salted, "Server Key");
  }

  /** @throws MongoServerError when the connection has not signed in, unless the command is open to all */
  void require(Channel channel, String command) {
    if (Boolean.TRUE.equals(channel.attr(IS_SIGNED_IN).get()) || OPEN.contains(command.toLowerCase())) return;
    throw new MongoServerError(UNAUTHORIZED, "Unauthorized", "command " + command + " requires authentication");
  }

  /** @return the server's first message, with salt and nonce */
  Document start(Channel channel, Document command) {
    if (!"SCRAM-SHA-256".equals(command.get("mechanism"))) throw failure();
    // "n,,n=USER,r=NONCE"
    String bare = payloadOf(command).replaceFirst("^n,[^,]*,", "");
    int nonceAt = bare.indexOf(",r=");
    if (nonceAt < 0) throw failure();
    String nonce = bare.substring(nonceAt + 3).split(",")[0] + base64(randomBytes(NONCE_BYTES));
    String first = "r=" + nonce + ",s=" + base64(salt) + ",i=" + ITERATIONS;
    channel.attr(EXCHANGE).set(bare + "," + first + ",");
    return reply(first, false);
  }

  /**
   * @return the server's proof that it knows the password too
   * @throws MongoServerError when the client does not know it
   */
  Document finish(Channel channel, Document command) {
    String exchange = channel.attr(EXCHANGE).getAndSet(null);
    // "c=biws,r=NONCE,p=PROOF"
    String last = payloadOf(command);
    int proofAt = last.lastIndexOf(",p=");
    if (exchange == null || proofAt < 0) throw failure();
    String withoutProof = last.substring(0, proofAt);
    if (!exchange.contains("," + nonceOf(withoutProof) + ",s=")) throw failure();
    byte[] clientKey = hmac(storedKey, exchange + withoutProof);
    byte[] proof = fromBase64(last.substring(proofAt + 3));
    if (proof.length != clientKey.length) throw failure();
    for (int index = 0; index < proof.length; index++) clientKey[index] ^= proof[index];
    if (!MessageDigest.isEqual(sha256(clientKey), storedKey)) throw failure();
    channel.attr(IS_SIGNED_IN).set(true);
    return reply("v=" + base64(hmac(serverKey, exchange + withoutProof)), true);
  }

  private static String nonceOf(String text) {
    int at = text.indexOf("r=");
    if (at < 0) throw failure();
    return text.substring(at).split(",")[0];
  }

  private static byte[] fromBase64(String text) {
    try {
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException error) {
      throw failure();
    }
  }

  private static String payloadOf(Document command) {
    Object payload = command.get("payload");
    if (!(payload instanceof BinData)) throw failure();
    return new String(((BinData) payload).getData(), StandardCharsets.UTF_8);
  }

  private static Document reply(String payload, boolean isDone) {
    Document reply = new Document("conversationId", 1).append("done", isDone);
    return reply.append("payload", new BinData(payload.getBytes(StandardCharsets.UTF_8))).append("ok", 1.0);
  }

  private static MongoServerError failure() {
    return new MongoServerError(AUTHENTICATION_FAILED, "AuthenticationFailed", "Authentication failed.");
  }

  private static byte[] salted(char[] password, byte[] salt) {
    try {
      PBEKeySpec spec = new PBEKeySpec(password, salt, ITERATIONS, HASH_BITS);
      return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256").generateSecret(spec).getEncoded();
    } catch (GeneralSecurityException error) {
      throw new IllegalStateException(error);
    }
  }

  private static byte[] hmac(byte[] key, String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException error) {
      throw new IllegalStateException(error);
    }
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (GeneralSecurityException error) {
      throw new IllegalStateException(error);
    }
  }

  private static byte[] randomBytes(int count) {
    byte[] bytes = new byte[count];
    new SecureRandom().nextBytes(bytes);
    return bytes;
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }
}
