import { expect, test } from '@jest/globals';
import { joinedPages, withLabel } from '../../../cli/processes/metrics-page.ts';

const page = (count: number) => `# HELP jobs_total Jobs, by {result}.
# TYPE jobs_total counter
jobs_total{result="good {x} "} ${count}

# HELP seconds How long.
# TYPE seconds histogram
seconds_bucket{le="1"} 2
seconds_sum 0.5
`;

test('a label is added to each series, and to no description', () => {
  expect(withLabel(page(7), 'process="2"')).toBe(`# HELP jobs_total Jobs, by {result}.
# TYPE jobs_total counter
jobs_total{process="2",result="good {x} "} 7

# HELP seconds How long.
# TYPE seconds histogram
seconds_bucket{process="2",le="1"} 2
seconds_sum{process="2"} 0.5
`);
});

test('the series of a metric stand together below one description, whichever pages they come from', () => {
  const pages = [page(1), '# TYPE up gauge\nup 1\n', withLabel(page(2), 'process="1"'), ''];
  expect(joinedPages(pages)).toBe(`# HELP jobs_total Jobs, by {result}.
# TYPE jobs_total counter
jobs_total{result="good {x} "} 1
jobs_total{process="1",result="good {x} "} 2

# HELP seconds How long.
# TYPE seconds histogram
seconds_bucket{le="1"} 2
seconds_sum 0.5
seconds_bucket{process="1",le="1"} 2
seconds_sum{process="1"} 0.5

# TYPE up gauge
up 1
`);
});
