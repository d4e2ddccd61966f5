import { parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import type { IndexRow } from './write-part.ts';

/** Yields the rows of a part by groups, so that memory holds one group: all columns, or only some. */
export async function* readPart(
  bytes: Uint8Array,
  columns?: readonly string[],
): AsyncGenerator<readonly IndexRow[]> {
  const { buffer, byteOffset, byteLength } = bytes;
  const file = {
    byteLength,
    slice: (start: number, end = byteLength) =>
      buffer.slice(byteOffset + start, byteOffset + end) as ArrayBuffer,
  };
  const metadata = await parquetMetadataAsync(file);
  const some = columns ? { columns: [...columns] } : {};
  let rowStart = 0;
  for (const { num_rows } of metadata.row_groups) {
    const rowEnd = rowStart + Number(num_rows);
    yield (await parquetReadObjects({ file, metadata, rowStart, rowEnd, ...some })) as IndexRow[];
    rowStart = rowEnd;
  }
}
