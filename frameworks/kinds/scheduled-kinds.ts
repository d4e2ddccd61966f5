import type { Fields } from '../../language/fields.ts';
import type { ScheduledKind } from '../model/scheduled-kind.ts';
import { volcanoCronJob } from './volcano-job/cron-job.ts';

const SCHEDULED_KINDS: readonly ScheduledKind[] = [volcanoCronJob];

/** Returns how a manifest is read as a schedule; undefined if it is none. */
export const scheduledKindOf = ({ apiVersion, kind }: Fields): ScheduledKind | undefined =>
  SCHEDULED_KINDS.find((one) => one.apiVersion === apiVersion && one.kind === kind);
