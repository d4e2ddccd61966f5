import { plotCharts } from '../../record/report/charts/plot-charts.ts';
import { reportOf } from '../../record/report/report.ts';
import type { WebAnswer } from '../http/answer.ts';
import { HTML } from '../http/answer.ts';
import { jobSource } from '../live/job-source.ts';
import type { LogChoice } from '../live/log-feeds.ts';
import { jobPage } from '../pages/job-page.ts';
import { pageAnswer } from '../pages/layout.ts';
import { logsPage } from '../pages/logs-page.ts';
import { ACTION_COMMANDS } from './action-routes.ts';
import { type ConsoleRoute, jobPlaceOf, type PageRequest, type Tools } from './route.ts';
import { streamed } from './streamed.ts';

const toSee = ({ namespace }: PageRequest['params']) =>
  ({ verb: 'get', resource: 'jobs', namespace }) as const;
const toRead = ({ namespace }: PageRequest['params']) =>
  ({ verb: 'get', resource: 'jobs/log', namespace }) as const;

export const JOB_ROUTES: readonly ConsoleRoute[] = [
  { method: 'GET', path: '/jobs/:namespace/:name', needs: toSee, answer: showJob },
  {
    method: 'GET',
    path: '/jobs/:namespace/:name/events',
    needs: toSee,
    answer: async (tools, asked) => {
      const place = jobPlaceOf(asked);
      // It throws for a job that is not the one of the address.
      const { value } = await tools.views.read(place);
      return streamed(tools, asked, {
        need: toSee(asked.params),
        begin: (stream, given) => {
          const after = given ?? String(value.seq);
          const source = jobSource(tools.views, place, Math.min(Number(after) || 0, value.seq));
          tools.feeds.add(stream, { key: `job ${JSON.stringify(place)}`, after }, source);
        },
      });
    },
  },
  {
    method: 'GET',
    path: '/jobs/:namespace/:name/report',
    needs: toSee,
    answer: async ({ views }, asked) => {
      const { value } = await views.read(jobPlaceOf(asked));
      const name = `${value.data.status.name.replaceAll(/[^\w.-]/g, '_')}.html`;
      return {
        status: 200,
        type: HTML,
        body: reportOf(value.data, plotCharts()),
        headers: { 'content-disposition': `attachment; filename="${name}"` },
      };
    },
  },
  {
    method: 'GET',
    path: '/jobs/:namespace/:name/logs',
    needs: toRead,
    answer: async (tools, asked) => {
      const { view, log, choice } = await openLog(tools, asked);
      await log.begun;
      return pageAnswer(logsPage(view, choice, log), asked.viewer);
    },
  },
  {
    method: 'GET',
    path: '/jobs/:namespace/:name/logs/events',
    needs: toRead,
    answer: async (tools, asked) => {
      const { log } = await openLog(tools, asked);
      return streamed(tools, asked, {
        need: toRead(asked.params),
        begin: (stream, after) => log.add(stream, after),
      });
    },
  },
];

async function showJob(tools: Tools, asked: PageRequest): Promise<WebAnswer> {
  const { views, settings, rights } = tools;
  const view = await views.read(jobPlaceOf(asked));
  const { namespace } = view.value.place;
  const may = await Promise.all(
    ACTION_COMMANDS.map((command) =>
      rights.may(asked.person, { verb: 'create', resource: `jobs/${command}`, namespace }),
    ),
  );
  const allowed = new Set(ACTION_COMMANDS.filter((_, index) => may[index]));
  const shown = {
    why: await views.why(view.value),
    now: Date.now(),
    temporalUi: settings.console.temporalUi,
    temporalNamespace: settings.temporal.namespace,
    told: toldOf(asked.query.get('asked')),
    may: (command: string) => !asked.viewer.isReadOnly && allowed.has(command),
  };
  return pageAnswer(jobPage(view, shown), asked.viewer);
}

/** Any page can link here: only what is known is told. */
const toldOf = (asked: string | null) =>
  asked !== null && ACTION_COMMANDS.includes(asked)
    ? `${asked} was requested. What follows from it appears below as it happens.`
    : undefined;

async function openLog({ views, logs }: Tools, asked: PageRequest) {
  const place = jobPlaceOf(asked);
  const choice = logChoiceOf(asked.query);
  const { value: view } = await views.read(place);
  const log = logs.open(JSON.stringify([place, choice]), await views.find(place), choice);
  return { view, log, choice };
}

function logChoiceOf(query: URLSearchParams): LogChoice {
  const [role, index, all] = ['role', 'index', 'all'].map((name) => query.get(name) || undefined);
  return {
    ...(role === undefined ? {} : { role }),
    ...(index !== undefined && /^\d{1,6}$/.test(index) ? { index: Number(index) } : {}),
    ...(all === 'yes' ? { all: true } : {}),
  };
}
