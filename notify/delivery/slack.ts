import { truncate } from '../../language/shorten.ts';
import { type Channel, receiverUrl } from './channel.ts';
import type { Message } from './message.ts';
import { JSON_HEADERS, post } from './post.ts';

/** A message a second to a channel. A section has room for 3,000 characters. */
const MOST_TEXT = 2_900;
const MOST_HEADER = 150;

export const slack: Channel<'slack'> = {
  leastMs: 1_000,
  deliver: async (receiver, message, delivering) => {
    const url = await receiverUrl(receiver, delivering);
    const body = JSON.stringify(slackBody(message));
    return (await post({ url, headers: JSON_HEADERS, body }, delivering.reachable)).said || 'ok';
  },
};

/** `text` is what a notification on a screen shows. */
export function slackBody({ title, lines, links, isBad }: Message): object {
  const text = truncate(escaped(lines.join('\n')), MOST_TEXT);
  const buttons = links.slice(0, 5).map(({ title: label, url }) => `<${escapedUrl(url)}|${escaped(label)}>`);
  return {
    text: escaped(title),
    blocks: [
      {
        type: 'header',
        text: { type: 'plain_text', text: truncate(`${isBad ? '🔴' : '🔵'} ${title}`, MOST_HEADER) },
      },
      ...(text === '' ? [] : [{ type: 'section', text: { type: 'mrkdwn', text } }]),
      ...(buttons.length > 0
        ? [
            {
              type: 'context',
              elements: [{ type: 'mrkdwn', text: truncate(buttons.join('   '), MOST_TEXT) }],
            },
          ]
        : []),
    ],
  };
}

/** As Slack asks; so no text of a job mentions people or makes links. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const escapedUrl = (url: string): string => escaped(url).replaceAll('|', '%7C');
