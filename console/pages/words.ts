import type { JobStatus, Phase } from '../../contracts/types.ts';
import { formatDuration } from '../../language/duration.ts';
import { errorMessage } from '../../language/error-message.ts';
import { html, type Markup } from '../../record/report/page/markup.ts';
import { timeText } from '../../record/report/page/time-texts.ts';
import { lookOf } from '../../record/report/page/words.ts';
import type { KeptValue } from '../reading/kept.ts';

export const phaseMarkup = (phase: Phase): Markup =>
  html`<span class="phase ${lookOf(phase)}">${phase}</span>`;

/** The roles of a job, as people call them. */
export const rolesOf = ({
  wanted,
  replicaStatuses,
}: Pick<JobStatus, 'wanted' | 'replicaStatuses'>): string[] => Object.keys(wanted ?? replicaStatuses);

export const agoText = (time: string, now: number): string =>
  formatDuration(Math.max(0, now - Date.parse(time)));

/** A time as people read it, and how long ago that is. */
export const sinceMarkup = (time: string, now: number): Markup =>
  html`<time datetime="${time}" title="${timeText(time)}">${agoText(time, now)}</time>`;

/** Says that a page is not of now, and why. */
export const asOfMarkup = ({ at, error }: Pick<KeptValue<unknown>, 'at' | 'error'>): Markup =>
  html`<div id="told-by-server">${
    error !== undefined &&
    html`<div class="notice" role="alert"><p><b>As of ${timeText(at)}.</b> ${errorMessage(error)}</p></div>`
  }</div>`;
