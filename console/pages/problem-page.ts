import { formatFault } from '../../contracts/faults.ts';
import type { Fault } from '../../contracts/types.ts';
import { errorCode } from '../../language/error-code.ts';
import { errorMessage } from '../../language/error-message.ts';
import { html, type Markup } from '../../record/report/page/markup.ts';
import { ProblemError } from '../http/problem-error.ts';
import type { ConsolePage } from './layout.ts';

/** How errors of the library are answered. */
const STATUS: Readonly<Record<string, number>> = {
  JobNotFound: 404,
  AmbiguousRun: 409,
  InvalidManifest: 422,
  Refused: 409,
  NameTaken: 409,
  KeyReused: 409,
  JobEnded: 409,
  ServerAway: 503,
  WorkerAway: 503,
  EvidenceAway: 503,
  ArchiveAway: 503,
  Lanes: 404,
  NoLog: 404,
};

export function httpStatusOf(error: unknown): number {
  if (error instanceof ProblemError) return error.status;
  return STATUS[errorCode(error) ?? ''] ?? 500;
}

/** Whether a person can do something about it, so that it is no fault of the console. */
export const isExpected = (error: unknown): boolean => httpStatusOf(error) !== 500;

/** What happened, why, and the next step. */
export function problemMarkup(error: unknown): Markup {
  const { remedy, faults } = error as { remedy?: string; faults?: readonly Fault[] };
  const words = faults
    ? html`<ul>${faults.map((fault) => html`<li>${formatFault(fault)}</li>`)}</ul>`
    : html`<p>${errorMessage(error)}</p>`;
  return html`<div class="wrong" role="alert">${words}${remedy && html`<p class="small">${remedy}</p>`}</div>`;
}

const TITLES: Readonly<Record<number, string>> = {
  401: 'Sign in',
  403: 'Not allowed',
  404: 'Not found',
  503: 'A server does not answer',
};

export function problemPage(error: unknown): ConsolePage {
  const status = httpStatusOf(error);
  const title = TITLES[status] ?? 'It did not work';
  return {
    title,
    status,
    body: html`<h1>${title}</h1>${problemMarkup(error)}<p><a href="/">To the jobs</a></p>`,
  };
}
