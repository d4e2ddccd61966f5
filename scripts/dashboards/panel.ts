import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder as StatBuilder } from '@grafana/grafana-foundation-sdk/stat';
import { PanelBuilder as TimeSeriesBuilder } from '@grafana/grafana-foundation-sdk/timeseries';

export const DATASOURCE = { type: 'prometheus', uid: '$' + '{datasource}' };

/** A query, with the legend of its series. */
type Query = readonly [expression: string, legend: string];

interface Panel {
  readonly title: string;
  /** What a reader learns from it. */
  readonly description: string;
  /** As Grafana calls it, e.g. `s`; by default `short`, a number. */
  readonly unit?: string;
  readonly queries: readonly Query[];
}

/** Of 24 columns. */
const HALF = 12;
const QUARTER = 6;

/** A panel over time. */
export const graph = ({ title, description, unit = 'short', queries }: Panel): TimeSeriesBuilder =>
  queries
    .map(queryOf)
    .reduce(
      (panel, query) => panel.withTarget(query),
      new TimeSeriesBuilder().title(title).description(description).unit(unit),
    )
    .datasource(DATASOURCE)
    .min(0)
    .span(HALF)
    .height(8);

/** A panel of the present value. */
export const number = ({ title, description, unit = 'short', queries }: Panel): StatBuilder =>
  queries
    .map(queryOf)
    .reduce(
      (panel, query) => panel.withTarget(query.instant()),
      new StatBuilder().title(title).description(description).unit(unit),
    )
    .datasource(DATASOURCE)
    .span(QUARTER)
    .height(5);

const queryOf = ([expression, legend]: Query, index: number): DataqueryBuilder =>
  new DataqueryBuilder()
    .refId(String.fromCharCode('A'.charCodeAt(0) + index))
    .datasource(DATASOURCE)
    .expr(expression)
    .legendFormat(legend);

/** Returns the query of a quantile of a histogram. */
export const quantile = (q: number, histogram: string, { by = '', of = '' } = {}): string =>
  `histogram_quantile(${q}, sum by (le${by && `, ${by}`}) (rate(${histogram}_bucket${of && `{${of}}`}[$__rate_interval])))`;
