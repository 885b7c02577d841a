/** What the provider remembers: sign-ins under way, for as long as the process lives. */
import type { Adapter, AdapterPayload } from "oidc-provider";

/** @returns one store a kind of record, all in one map of their own */
export function createMemoryAdapter(): (kind: string) => Adapter {
  const records = new Map<string, { payload: AdapterPayload; endsAtMs: number }>();
  return (kind) => {
    const find = (fits: (payload: AdapterPayload) => boolean) => {
      for (const [key, { payload, endsAtMs }] of records) {
        if (endsAtMs < Date.now()) records.delete(key);
        else if (key.startsWith(`${kind}:`) && fits(payload)) return Promise.resolve(payload);
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
        // Of this kind only: an interaction under way carries a grant's id too, and outlives the grant.
        for (const [key, { payload }] of records)
          if (key.startsWith(`${kind}:`) && payload.grantId === grantId) records.delete(key);
        return Promise.resolve();
      },
    };
  };
}
