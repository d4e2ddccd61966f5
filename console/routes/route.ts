import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { JobPlace } from '../../contracts/console-address.ts';
import type { LanesAnswer } from '../../contracts/types.ts';
import type { PeriodReport } from '../../record/report/period/period-report.ts';
import type { WebAnswer } from '../http/answer.ts';
import type { FormTokens } from '../http/forgery.ts';
import type { Identity, Person } from '../identity/person.ts';
import type { Need, Rights } from '../identity/rights.ts';
import type { Feeds } from '../live/feed.ts';
import type { LogFeeds } from '../live/log-feeds.ts';
import type { OpenStreams } from '../live/open-streams.ts';
import type { Viewer } from '../pages/layout.ts';
import type { NodeGpus } from '../reading/gpu-map.ts';
import type { JobLists } from '../reading/job-lists.ts';
import type { JobViews } from '../reading/job-views.ts';
import type { Kept } from '../reading/kept.ts';
import type { Servers } from '../reading/servers.ts';
import type { ConsoleProcessSettings } from '../settings.ts';

/** What routes work with. */
export interface Tools {
  readonly settings: ConsoleProcessSettings;
  readonly servers: Servers;
  readonly lists: JobLists;
  readonly views: JobViews;
  readonly maps: Kept<readonly NodeGpus[]>;
  readonly lanes: Kept<LanesAnswer>;
  readonly periods: Kept<PeriodReport>;
  readonly feeds: Feeds;
  readonly logs: LogFeeds;
  readonly streams: OpenStreams;
  readonly rights: Rights;
  readonly identity: Identity;
  readonly tokens: FormTokens;
  readonly log: Logger;
}

/** A request whose person is known and may make it. */
export interface PageRequest {
  readonly request: IncomingMessage;
  readonly query: URLSearchParams;
  /** Of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly person: Person;
  readonly viewer: Viewer;
  /** What was sent; empty for a page. */
  readonly form: URLSearchParams;
}

export interface ConsoleRoute {
  readonly method: 'GET' | 'POST';
  /** `:name` stands for one part. */
  readonly path: string;
  /** What the person must be allowed to do; absent where the answer shows only what the person may see. */
  readonly needs?: (params: PageRequest['params'], query: URLSearchParams) => Need;
  /** It changes something: it needs a form of this console, and is not there if the console only reads. */
  readonly changes?: true;
  readonly answer: (tools: Tools, asked: PageRequest) => Promise<WebAnswer> | WebAnswer;
}

/** The job of an address. */
export const jobPlaceOf = ({ params, query }: Pick<PageRequest, 'params' | 'query'>): JobPlace => {
  const run = query.get('run') || undefined;
  return { namespace: params.namespace!, name: params.name!, run };
};

/** Returns the parts of a path that a route names; undefined if it is another path. */
export function paramsIn(pattern: string, path: string): PageRequest['params'] | undefined {
  const [wanted, given] = [pattern, path].map((text) => text.split('/'));
  if (wanted!.length !== given!.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted!.entries()) {
    const value = decoded(given![index]!);
    if (value === undefined) return undefined;
    if (part.startsWith(':') && value !== '') params[part.slice(1)] = value;
    else if (part !== value) return undefined;
  }
  return params;
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
