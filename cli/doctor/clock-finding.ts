import { formatDuration } from '../../language/duration.ts';
import { type Finding, findingsOf } from './finding.ts';

interface Clocks {
  readonly part: Finding['part'];
  readonly whose: string;
  readonly than: string;
}

/** More than an answer takes. */
const TOLERATED_MS = 5_000;

/** Names clocks that differ: no decision compares them, but times of records and limits seem wrong by as much. */
export function clockFinding(aheadMs: number, { part, whose, than }: Clocks): Finding {
  const { ok, warning } = findingsOf(part);
  if (Math.abs(aheadMs) < TOLERATED_MS) return ok('clock', `${whose} agrees with ${than}`);
  const differs = `${formatDuration(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'}`;
  return warning(
    'clock',
    `${whose} is ${differs} ${than}`,
    'Set the clocks by NTP (`chronyc tracking` shows a difference): the times of one record come from several machines.',
  );
}
