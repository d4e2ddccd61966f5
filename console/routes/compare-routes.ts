import type { JobPlace } from '../../contracts/console-address.ts';
import { isRunReference, RUN_EXPECTED, splitAtRun } from '../../contracts/run-reference.ts';
import { compareJobs } from '../../record/compare/compare-jobs.ts';
import { ProblemError } from '../http/problem-error.ts';
import { refuseUnlessAllowed } from '../identity/rights.ts';
import { comparePage } from '../pages/compare-page.ts';
import { pageAnswer } from '../pages/layout.ts';
import { refuseOther } from '../reading/job-views.ts';
import type { ConsoleRoute, Tools } from './route.ts';

export const COMPARE_ROUTES: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/compare',
    answer: async (tools, asked) => {
      const [a = '', b = ''] = ['a', 'b'].map((name) => asked.query.get(name)?.trim() ?? '');
      if (!a || !b) return pageAnswer(comparePage({ a, b }), asked.viewer);
      const places = [namedIn(a, 'a', tools), namedIn(b, 'b', tools)];
      for (const { namespace } of places)
        await refuseUnlessAllowed(tools.rights, asked.person, { verb: 'get', resource: 'jobs', namespace });
      const [one, other] = await Promise.all(places.map((place) => sideOf(tools, place)));
      return pageAnswer(comparePage({ a, b, compared: compareJobs(one!, other!) }), asked.viewer);
    },
  },
];

/** `NAMESPACE/NAME`, `NAME`, and `@` with a run behind it. */
function namedIn(text: string, field: string, { settings }: Tools): JobPlace {
  const { job, run } = splitAtRun(text);
  const { namespace = settings.namespace ?? 'default', name } = JOB.exec(job)?.groups ?? {};
  if (!name)
    throw new ProblemError(
      400,
      `${field}: expected NAMESPACE/NAME or NAMESPACE/NAME@RUN, got ${JSON.stringify(text)}.`,
    );
  if (run === undefined) return { namespace, name };
  if (!isRunReference(run))
    throw new ProblemError(400, `${field}: expected behind the @ ${RUN_EXPECTED}, got ${run}.`);
  return { namespace, name, run };
}

const JOB = /^(?:(?<namespace>[^/@\s]+)\/)?(?<name>[^/@\s]+)$/;

async function sideOf({ views }: Tools, place: JobPlace) {
  const job = await views.find(place);
  refuseOther(place, await job.summary());
  return job.compared({ onUnknownPods: () => undefined });
}
