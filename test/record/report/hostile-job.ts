import type { ReportData } from '../../../record/report/report-data.ts';
import { SAMPLE } from './sample-job.ts';

/** Text that tries to leave where it stands. */
const HOSTILE =
  '"\'></title></script></style></textarea>--><img src=http://192.0.2.1/x onerror=alert(1)><svg onload=alert(1)>\u202E\u0000';

/** Values that the program itself chooses, or that decide what is shown. */
const OWN =
  /^(?:type|phase|state|at|to|from|through|ended|schema|how|asOf|failedAt|takenAt|.*At|role|uid|seq|reason)$/;

/** The sample job with hostile text in every string of it that people or programs choose. */
export const HOSTILE_JOB: ReportData = {
  ...(poisoned(SAMPLE) as ReportData),
  pods: SAMPLE.pods.map((pod) => ({
    ...pod,
    pod: pod.pod + HOSTILE,
    node: HOSTILE,
    role: pod.role + HOSTILE,
  })),
};

function poisoned(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((inner) => poisoned(inner, key));
  if (typeof value === 'string') return OWN.test(key) ? value : value + HOSTILE;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, poisoned(inner, name)]));
}
