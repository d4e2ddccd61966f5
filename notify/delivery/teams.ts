import { truncate } from '../../language/shorten.ts';
import { type Channel, receiverUrl } from './channel.ts';
import type { Message } from './message.ts';
import { JSON_HEADERS, post } from './post.ts';

/** A message has room for 28 KB. */
const MOST_TEXT = 6_000;

/** Workflows of Teams, "when a webhook request is received": an Adaptive Card. */
export const teams: Channel<'teams'> = {
  leastMs: 1_000,
  deliver: async (receiver, message, delivering) => {
    const url = await receiverUrl(receiver, delivering);
    const body = JSON.stringify(teamsBody(message));
    return String((await post({ url, headers: JSON_HEADERS, body }, delivering.reachable)).status);
  },
};

export function teamsBody({ title, lines, links, isBad }: Message): object {
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      textBlock(title, { weight: 'Bolder', size: 'Medium', color: isBad ? 'Attention' : 'Default' }),
      ...(lines.length > 0 ? [textBlock(truncate(lines.join('\n\n'), MOST_TEXT))] : []),
    ],
    ...(links.length > 0
      ? {
          actions: links
            .slice(0, 5)
            .map(({ title: label, url }) => ({ type: 'Action.OpenUrl', title: label, url })),
        }
      : {}),
  };
  const attachment = {
    contentType: 'application/vnd.microsoft.card.adaptive',
    contentUrl: null,
    content: card,
  };
  return { type: 'message', attachments: [attachment] };
}

/** Text blocks read Markdown. */
const textBlock = (text: string, style: object = {}): object => ({
  type: 'TextBlock',
  text: text.replaceAll(/[\\`*_[\]<>]/g, (sign) => `\\${sign}`),
  wrap: true,
  ...style,
});
