import { INDEX_VERSION, TABLE_NAMES, type TableName } from './columns.ts';

/** A file of the index: the rows of a range of leaves, in one table. */
export interface IndexPart extends LeafRange {
  readonly table: TableName;
  /** Of its bytes, in hex. */
  readonly sha256: string;
  readonly key: string;
}

/** Leaves of the log from `from` on, without `to`. */
export interface LeafRange {
  readonly from: number;
  readonly to: number;
}

/** Both tables of a range of leaves. */
export interface PartPair extends LeafRange {
  readonly jobs: IndexPart;
  readonly entries: IndexPart;
}

/** The version is part of the place: another version builds its own index, and leaves this one to its readers. */
export const INDEX_FOLDER = `index/v${INDEX_VERSION}`;

/** The name has the range and the hash of the content, so a part never changes and two writers write the same file. */
export function partOf(table: TableName, range: LeafRange, sha256: string): IndexPart {
  const name = [range.from, range.to].map((leaf) => String(leaf).padStart(DIGITS, '0')).join('-');
  return { table, ...range, sha256, key: `${INDEX_FOLDER}/${table}/${name}-${sha256}.parquet` };
}

const DIGITS = 9;
const KEY = new RegExp(
  `^${INDEX_FOLDER}/(${TABLE_NAMES.join('|')})/(\\d{${DIGITS}})-(\\d{${DIGITS}})-([0-9a-f]{64})\\.parquet$`,
);

/** Returns the part that a key names; undefined for any other file. */
export function partAt(key: string): IndexPart | undefined {
  const [, table, from, to, sha256] = KEY.exec(key) ?? [];
  const range = { from: Number(from), to: Number(to) };
  return sha256 && range.from < range.to ? { table: table as TableName, ...range, sha256, key } : undefined;
}
