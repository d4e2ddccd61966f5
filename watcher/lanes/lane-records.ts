import { EventEmitter } from 'node:events';
import { type Reads, type ReflectorHandlers, reflect } from '../../cluster/reflector.ts';
import { CONFIG_MAPS, type ConfigMap } from '../../contracts/kubernetes.ts';
import { type LaneRecord, laneRecordsBeside, parseLaneRecord } from '../../contracts/lane-record.ts';
import type { LanesReference } from '../../contracts/lane-request.ts';

/** The records of jobs in lanes, as far as their stream has been read. */
export class LaneRecords extends EventEmitter<{ changed: [] }> {
  readonly #lanes: LanesReference;
  /** By uid of the anchor. */
  readonly #records = new Map<string, LaneRecord>();

  constructor(lanes: LanesReference) {
    super();
    this.#lanes = lanes;
  }

  has(anchorUid: string): boolean {
    return this.#records.has(anchorUid);
  }

  [Symbol.iterator](): Iterator<LaneRecord> {
    return this.#records.values();
  }

  /** Follows the records until the signal aborts. Calls `listed` when they were listed. */
  follow(client: Reads, listed: () => void, signal: AbortSignal): Promise<void> {
    const source = { resource: CONFIG_MAPS, selection: laneRecordsBeside(this.#lanes) };
    return reflect(client, source, this.handlers(listed), signal);
  }

  handlers(listed: () => void = () => undefined): ReflectorHandlers<ConfigMap> {
    return {
      replaced: (all) => {
        this.#records.clear();
        for (const one of all) this.#set(one);
        listed();
      },
      changed: (one) => this.#set(one),
      deleted: (one) => {
        const record = parseLaneRecord(one, this.#lanes);
        if (record) this.#records.delete(record.anchorUid);
        this.emit('changed');
      },
    };
  }

  #set(one: ConfigMap): void {
    const record = parseLaneRecord(one, this.#lanes);
    if (!record) return;
    this.#records.set(record.anchorUid, record);
    this.emit('changed');
  }
}
