import { meaningOfEnd } from '../../contracts/ends.ts';
import { table } from './markdown.ts';

/** What a page shows of them: what programs of machine learning end with. */
const EXIT_CODES = [1, 2, 126, 127, 130, 132, 134, 135, 136, 137, 139, 143];
const REASONS = ['OOMKilled', 'StartError', 'DeadlineExceeded', 'ContainerStatusUnknown'];

/** Returns the table of ends of containers, with what remedies say of each. */
export function ends(): string {
  const all = [
    ...EXIT_CODES.map((exitCode) => [`exit code ${exitCode}`, { exitCode }] as const),
    ...REASONS.map((podReason) => [`\`${podReason}\``, { podReason }] as const),
  ];
  const rows = all.map(([end, known]) => [end, meaningOfEnd({ message: '', ...known })?.says ?? '']);
  return table(['end', 'what remedies say'], rows);
}
