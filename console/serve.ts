import type { IncomingMessage } from 'node:http';
import { assetAt } from './browser/assets.ts';
import { plain, redirect, type WebAnswer } from './http/answer.ts';
import { type Denial, DeniedError, deniedStatus } from './http/denied-error.ts';
import { checkOrigin } from './http/forgery.ts';
import { readForm } from './http/form.ts';
import { namesConsole } from './http/hosts.ts';
import { ProblemError } from './http/problem-error.ts';
import type { Person, SignInElsewhere } from './identity/person.ts';
import { refuseUnlessAllowed } from './identity/rights.ts';
import { consoleMetrics } from './metrics.ts';
import { pageAnswer, type Viewer } from './pages/layout.ts';
import { isExpected, problemPage } from './pages/problem-page.ts';
import { signInPage } from './pages/sign-in-page.ts';
import { ACTION_ROUTES } from './routes/action-routes.ts';
import { COMPARE_ROUTES } from './routes/compare-routes.ts';
import { JOB_ROUTES } from './routes/job-routes.ts';
import { LIST_ROUTES } from './routes/list-routes.ts';
import { type ConsoleRoute, paramsIn, type Tools } from './routes/route.ts';
import { SUBMIT_ROUTES } from './routes/submit-routes.ts';
import { TEAM_ROUTES } from './routes/team-routes.ts';
import { WAITING_ROUTES } from './routes/waiting-routes.ts';

const ROUTES: readonly ConsoleRoute[] = [
  ...LIST_ROUTES,
  ...JOB_ROUTES,
  ...ACTION_ROUTES,
  ...SUBMIT_ROUTES,
  ...WAITING_ROUTES,
  ...COMPARE_ROUTES,
  ...TEAM_ROUTES,
];

/** Answers a request, and counts it. */
export async function answerTo(request: IncomingMessage, tools: Tools): Promise<WebAnswer> {
  const end = consoleMetrics.duration.startTimer();
  const answer = await answerOf(request, tools);
  const route = labelOf(URL.parse(request.url ?? '/', 'http://console')?.pathname ?? '');
  consoleMetrics.requests.inc({ route, code: answer.status });
  end({ route });
  return answer;
}

/** Knows who asks, refuses what the person may not do, and only then does it. */
async function answerOf(request: IncomingMessage, tools: Tools): Promise<WebAnswer> {
  const url = URL.parse(request.url ?? '/', 'http://console');
  if (!url) return plain(400, 'Expected a path.');
  const known = FOR_EVERYBODY[url.pathname] ?? assetAt(url.pathname);
  if (known) return known;
  if (tools.settings.console.identity === 'none' && !namesConsole(request, tools.settings.console.url))
    return plain(
      denied('ForeignHost'),
      `This console is not called ${JSON.stringify(request.headers.host)}.`,
    );
  let person: Person | undefined;
  try {
    person = await tools.identity.identify(request);
    if (request.method === 'POST') checkOrigin(request, tools.settings.console.url);
    const signing = await signingAnswer(request, url, { tools, person });
    if (signing) return signing;
    return await routeAnswer(request, url, { tools, person: person! });
  } catch (error) {
    if (error instanceof DeniedError) denied(error.denial);
    if (!isExpected(error)) tools.log.error({ err: error, path: url.pathname }, 'a request failed');
    return pageAnswer(problemPage(error), viewerOf(request, person, tools));
  }
}

/** Counts a refusal, and returns its status. */
function denied(reason: Denial): number {
  consoleMetrics.refused.inc({ reason });
  return deniedStatus(reason);
}

/** The route of a path, of which there are few. */
function labelOf(path: string): string {
  if (assetAt(path)) return '/assets';
  if (Object.hasOwn(FOR_EVERYBODY, path) || SIGNING.includes(path)) return path;
  return ROUTES.find((route) => paramsIn(route.path, path))?.path ?? 'other';
}

const SIGNING = ['/sign-in', '/sign-in/start', '/sign-in/callback', '/sign-out'];

const FOR_EVERYBODY: Readonly<Record<string, WebAnswer>> = {
  '/healthz': plain(200, 'ok'),
  '/readyz': plain(200, 'ok'),
  '/favicon.ico': { status: 204 },
};

interface Around {
  readonly tools: Tools;
  readonly person: Person | undefined;
}

/** Signs a person in or out, or asks who it is; undefined if that is known. */
async function signingAnswer(
  request: IncomingMessage,
  url: URL,
  { tools, person }: Around,
): Promise<WebAnswer | undefined> {
  const { pathname, search } = url;
  const { identity, tokens } = tools;
  const viewer = viewerOf(request, person, tools);
  const isPost = request.method === 'POST';
  if (!isPost && identity.elsewhere && isSigning(pathname)) {
    const { location, cookie } = await signedInElsewhere(request, url, identity.elsewhere);
    return { ...redirect(location), headers: { location, 'set-cookie': cookie } };
  }
  if (isPost && pathname === '/sign-in' && identity.signIn) {
    const form = await readForm(request);
    tokens.check(request, viewer.name, form.get('token'));
    const cookie = await identity.signIn(form.get('bearer') ?? '');
    const to = ownPath(form.get('to'));
    if (cookie) return { ...redirect(to), headers: { location: to, 'set-cookie': cookie } };
    denied('NotSignedIn');
    return pageAnswer(signInPage(identity, { token: viewer.token, to, wrong: true }), viewer);
  }
  if (!person) {
    denied('NotSignedIn');
    const to = isPost ? '/' : `${pathname}${search}`;
    return pageAnswer(signInPage(identity, { token: viewer.token, to, wrong: false }), viewer);
  }
  if (isPost && pathname === '/sign-out' && identity.signOut) {
    tokens.check(request, viewer.name, (await readForm(request)).get('token'));
    return { status: 303, headers: { location: '/', 'set-cookie': identity.signOut(request) } };
  }
  return undefined;
}

const [START, CALLBACK] = ['/sign-in/start', '/sign-in/callback'];
const isSigning = (path: string) => path === START || path === CALLBACK;

async function signedInElsewhere(request: IncomingMessage, url: URL, elsewhere: SignInElsewhere) {
  if (url.pathname === START) return elsewhere.begin(ownPath(url.searchParams.get('to')));
  const { to, cookie } = await elsewhere.finish(request, url);
  return { location: to, cookie };
}

/** Another site could be the place to go back to. */
const ownPath = (to: string | null): string => (to && /^\/(?![/\\])/.test(to) ? to : '/');

async function routeAnswer(
  request: IncomingMessage,
  { pathname, searchParams: query }: URL,
  { tools, person }: { readonly tools: Tools; readonly person: Person },
): Promise<WebAnswer> {
  const { route, params } = routeOf(request, pathname, tools);
  const need = route.needs?.(params, query);
  if (need) await refuseUnlessAllowed(tools.rights, person, need);
  const form = route.method === 'POST' ? await readForm(request) : new URLSearchParams();
  if (route.method === 'POST') tools.tokens.check(request, person.name, form.get('token'));
  const viewer = viewerOf(request, person, tools);
  return route.answer(tools, { request, query, params, person, viewer, form });
}

function routeOf({ method }: IncomingMessage, path: string, { settings }: Tools) {
  const matching = ROUTES.flatMap((route) => {
    const params = paramsIn(route.path, path);
    return params && !(route.changes && settings.console.isReadOnly) ? [{ route, params }] : [];
  });
  const wanted = method === 'HEAD' ? 'GET' : method;
  const found = matching.find(({ route }) => route.method === wanted);
  if (found) return found;
  if (matching.length > 0) throw new ProblemError(405, `There is no ${method} of ${path}.`);
  throw new ProblemError(404, `There is no page ${path}.`);
}

function viewerOf(
  request: IncomingMessage,
  person: Person | undefined,
  { tokens, settings, identity }: Tools,
): Viewer {
  const name = person?.name ?? '';
  const { token, headers } = tokens.issue(request, name);
  return {
    ...{ name, token, headers },
    isReadOnly: settings.console.isReadOnly,
    canSignOut:
      person !== undefined && identity.signOut !== undefined && request.headers.authorization === undefined,
  };
}
