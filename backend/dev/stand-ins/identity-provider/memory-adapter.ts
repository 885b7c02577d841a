/** In-memory storage of the provider for sign-ins that have not ended; it is lost when the process ends. */
import type { Adapter, AdapterPayload } from "oidc-provider";

/** @returns a function that makes the adapter of one kind of record; all share one map */
export function createMemoryAdapter(): (kind: string) => Adapter {
  const records = new Map<string, { payload: AdapterPayload; endsAtMs: number }>();
  return (kind) => {
    const find = (matches: (payload: AdapterPayload) => boolean) => {
      for (const [key, { payload, endsAtMs }] of records) {
        if (endsAtMs < Date.now()) records.delete(key);
        else if (key.startsWith(`${kind}:`) && matches(payload)) return Promise.resolve(payload);
      }
      return Promise.resolve(undefined);
    };
    return {
      upsert(id, payload, expiresInSeconds) {
        records.set(`${kind}:${id}`, {
          payload,
          endsAtMs: expiresInSeconds ? Date.now() + expiresInSeconds * 1_000 : Infinity,
        });
        return Promise.resolve();
      },
      find(id) {
        const record = records.get(`${kind}:${id}`);
        return Promise.resolve(record && record.endsAtMs >= Date.now() ? record.payload : undefined);
      },
      findByUserCode: (userCode) => find((payload) => payload.userCode === userCode),
      findByUid: (uid) => find((payload) => payload.uid === uid),
      consume(id) {
        const record = records.get(`${kind}:${id}`);
        if (record) record.payload.consumed = Math.floor(Date.now() / 1_000);
        return Promise.resolve();
      },
      destroy(id) {
        records.delete(`${kind}:${id}`);
        return Promise.resolve();
      },
      revokeByGrantId(grantId) {
        // Only this kind: an open interaction has a grant's id too, and must outlive the grant.
        for (const [key, { payload }] of records)
          if (key.startsWith(`${kind}:`) && payload.grantId === grantId) records.delete(key);
        return Promise.resolve();
      },
    };
  };
}
