import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Histories of real jobs, as `temporal workflow show -o json` exports them; record.ts made them. */

const FOLDER = join(import.meta.dirname, 'histories');

export interface RecordedEvent {
  readonly eventType: string;
  readonly [attributes: string]: unknown;
}

/** Names, without `.json`. */
export const RECORDED: readonly string[] = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.slice(0, -'.json'.length));

export const recordedHistory = (name: string): { readonly events: readonly RecordedEvent[] } =>
  JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8'));
