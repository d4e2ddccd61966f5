import type { Markup } from '../page/markup.ts';

/** A stretch of time in a row of a Gantt chart. */
export interface Bar {
  readonly from: number;
  readonly to: number;
  /** Name of the colour, e.g. `running`. */
  readonly colour: string;
  /** Which part of the row's height it takes, from 0 at the top to 1; default: all. */
  readonly top?: number;
  readonly bottom?: number;
  /** What a pointer shows. */
  readonly title?: string;
}

export interface Row {
  readonly label: string;
  /** A heading has no bars; a tall row has room for many pods. */
  readonly size: 'heading' | 'bar' | 'tall';
  readonly bars: readonly Bar[];
  readonly marks: readonly Mark[];
}

/** A moment in a row. */
export interface Mark {
  readonly at: number;
  readonly kind: 'failure' | 'restart' | 'request';
  readonly title: string;
}

export interface GanttChart {
  /** What a screen reader says instead of the picture. */
  readonly description: string;
  readonly from: number;
  readonly to: number;
  readonly rows: readonly Row[];
  /** Moments that a line across all rows shows. */
  readonly lines: readonly { readonly at: number; readonly label: string }[];
}

/** Layers on top of each other, over time, in steps. */
export interface LayerChart {
  readonly description: string;
  readonly from: number;
  readonly to: number;
  /** The layers, the lowest first; each is a colour's name, and a member of `counts`. */
  readonly layers: readonly string[];
  readonly points: readonly { readonly at: number; readonly counts: Readonly<Record<string, number>> }[];
}

/** What grew over time, in lines of one colour. */
export interface LineChart {
  readonly description: string;
  readonly from: number;
  readonly to: number;
  readonly points: readonly { readonly at: number; readonly value: number; readonly line: number }[];
  readonly squares: readonly { readonly at: number; readonly value: number }[];
  /** The value that it grows to. */
  readonly most?: number;
  /** Moments that a line from top to bottom shows. */
  readonly lines: GanttChart['lines'];
}

/** For a screen, or for a phone: text is as large on both. */
export type ChartSize = 'wide' | 'narrow';

/** A library that draws charts as SVG that needs no script and no style. */
export interface Charts {
  gantt(chart: GanttChart, size: ChartSize): Markup;
  layers(chart: LayerChart, size: ChartSize): Markup;
  lines(chart: LineChart, size: ChartSize): Markup;
}
