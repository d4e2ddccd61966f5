import { writeData } from '../print/output.ts';

export async function printRows(rows: readonly (readonly (string | number | null)[])[]): Promise<void> {
  const { csvLines } = await import('../audit/csv-lines.ts');
  writeData(csvLines(rows).trimEnd(), 'csv');
}
