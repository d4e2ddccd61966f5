import type { ListedNotification } from '../../client/use-cases/notifications/list-notifications.ts';
import { shorten } from '../../language/shorten.ts';
import { formatTable } from '../print/table.ts';

const WHY_LENGTH = 100;

/** Who was told what, and what keeps the rest from being told. */
export const notificationTable = (found: readonly ListedNotification[], headers: boolean): Promise<string> =>
  formatTable(
    headers ? ['SINCE', 'ABOUT', 'WHAT', 'TO', 'ROUTE', 'STATE'] : undefined,
    found.map((one) => [one.at, aboutText(one), one.says, one.to, one.route, deliveryText(one)]),
  );

const aboutText = ({ job, says }: ListedNotification): string =>
  job ? `${job.namespace}/${job.name}` : /^\d+ jobs/.test(says) ? 'several jobs' : 'signalbox';

/** `told 2026-12-01T08:00:00.000Z`; `tried 3 times: hooks.example answered 503`. */
export function deliveryText({ state, toldAt, tries = 1, why, within }: ListedNotification): string {
  const because = why === undefined ? '' : `: ${shorten(why, WHY_LENGTH)}`;
  if (state === 'refused') return `not told${because}`;
  if (state === 'trying') return tries > 1 ? `tried ${tries} times${because}` : 'is being told';
  return `told${toldAt ? ` ${toldAt}` : ''}${within === undefined ? '' : ', with others'}`;
}
