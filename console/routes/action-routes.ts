import { REQUESTS, type RequestKind } from '../../client/handles/interventions.ts';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { type JobPlace, jobUrl } from '../../contracts/console-address.ts';
import type { Intervention } from '../../contracts/types.ts';
import { redirect, type WebAnswer } from '../http/answer.ts';
import { ProblemError } from '../http/problem-error.ts';
import { type ActionKind, actionPage, type SentForm } from '../pages/action-page.ts';
import { pageAnswer } from '../pages/layout.ts';
import { httpStatusOf, isExpected } from '../pages/problem-page.ts';
import { type FoundJob, JobFromArchive } from '../reading/job-from-archive.ts';
import { requestValues } from './request-values.ts';
import { type ConsoleRoute, jobPlaceOf, type PageRequest, type Tools } from './route.ts';

/** Returns the job that the person looks at afterwards, if it is another one. */
type Perform = (job: FoundJob, request: Readonly<Record<string, unknown>>) => Promise<JobPlace | undefined>;

type Action = ActionKind & { readonly perform: Perform };

const RERUN: Action = {
  command: 'rerun',
  description: 'start a new job from the recorded manifest of this one',
  help: 'A job that has not ended keeps its name: the new one then needs another.',
  fields: [
    { name: 'name', takes: 'name', label: 'Name of the new job, if it has another' },
    {
      ...{ name: 'set', takes: 'edits', label: 'Changes, one PATH=VALUE or VARIABLE=VALUE in a line' },
      example: 'spec.runPolicy.backoffLimit=4',
    },
  ],
  perform: async (job, { by: _, ...options }) => {
    const { namespace, name } = await (await job.rerun(options)).summary();
    return { namespace, name };
  },
};

/** All requests of the table that the command line has, and the rerun. */
const ACTIONS: ReadonlyMap<string, Action> = new Map(
  [...Object.values(REQUESTS).map(actionOf), RERUN].map((action) => [action.command, action]),
);

/** What a person can ask of a job. */
export const ACTION_COMMANDS: readonly string[] = [...ACTIONS.keys()];

function actionOf(kind: RequestKind): Action {
  const ask = kind.ask as (job: JobHandle, request: Intervention) => Promise<unknown>;
  const perform: Perform = async (job, request) => {
    if (job instanceof JobFromArchive || (await ask(job, request)) === 'already-ended')
      throw new ProblemError(409, 'The job has already ended.');
    return undefined;
  };
  return { ...kind, perform };
}

const needs: ConsoleRoute['needs'] = ({ namespace, command }) => ({
  ...{ verb: 'create', resource: `jobs/${command}`, namespace },
});

export const ACTION_ROUTES: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/jobs/:namespace/:name/do/:command',
    needs,
    changes: true,
    answer: (tools, asked) => form(tools, asked, {}),
  },
  { method: 'POST', path: '/jobs/:namespace/:name/do/:command', needs, changes: true, answer: perform },
];

async function form({ views }: Tools, asked: PageRequest, sent: SentForm): Promise<WebAnswer> {
  const { value: view } = await views.read(jobPlaceOf(asked));
  const page = actionPage(view, namedAction(asked), { ...sent, token: asked.viewer.token });
  return pageAnswer(page, asked.viewer);
}

async function perform(tools: Tools, asked: PageRequest): Promise<WebAnswer> {
  const { views, log } = tools;
  const place = jobPlaceOf(asked);
  const action = namedAction(asked);
  try {
    const why = reasonOfForm(asked.form);
    if (action.isFinal) confirm(place, asked.form);
    const { value: view } = await views.read(place);
    const request = { ...requestValues(action.fields, asked.form), by: asked.person.name, why };
    const job = await views.find(place, asked.person.name);
    // A name can have another job by now: it is this one that the person saw.
    if (job.workflowId !== view.data.workflowId)
      throw new ProblemError(409, 'The name has another job by now.');
    const other = await action.perform(job, request);
    log.info({ action: action.command, job: job.workflowId, by: asked.person.name }, 'requested');
    views.expire(place);
    return redirect(withAsked(jobUrl(other ?? place), action.command));
  } catch (error) {
    if (!isExpected(error)) throw error;
    return form(tools, asked, { form: asked.form, error, status: httpStatusOf(error) });
  }
}

const withAsked = (url: string, command: string) => `${url}${url.includes('?') ? '&' : '?'}asked=${command}`;

function namedAction({ params: { command = '' } }: PageRequest): Action {
  const action = ACTIONS.get(command);
  if (action) return action;
  throw new ProblemError(
    404,
    `There is no request ${JSON.stringify(command)}.`,
    `There are ${ACTION_COMMANDS.join(', ')}.`,
  );
}

export function reasonOfForm(form: URLSearchParams): string {
  const why = form.get('why')?.trim();
  if (why) return why;
  throw new ProblemError(
    422,
    'Why: expected a reason, got nothing.',
    'Nothing was done. The reason is recorded with the request.',
  );
}

function confirm({ name }: JobPlace, form: URLSearchParams): void {
  const given = form.get('confirm')?.trim() ?? '';
  if (given === name) return;
  throw new ProblemError(
    422,
    `Expected the name of the job, ${name}, to confirm, got ${given === '' ? 'nothing' : JSON.stringify(given)}.`,
    'Nothing was done.',
  );
}
