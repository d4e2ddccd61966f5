import type { EvidenceStore } from '../../evidence/store.ts';

/** Keeps evidence in memory. */
export function memoryEvidence(): EvidenceStore & { readonly records: ReadonlyMap<string, string> } {
  const records = new Map<string, string>();
  const refOf = (key: string) => `memory:${key}`;
  return {
    records,
    location: 'memory',
    examine: async () => undefined,
    write: async (key, record) => {
      records.set(key, record);
      return refOf(key);
    },
    find: async (key) => records.get(key),
    list: async (folder) => [...records.keys()].filter((key) => key.startsWith(folder)),
    refOf,
    keyOf: (ref) => (ref.startsWith('memory:') ? ref.slice('memory:'.length) : undefined),
    close: () => undefined,
  };
}
