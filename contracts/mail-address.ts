/** An address of one mailbox, without a name: nothing in it can add a line or another address to a message. */
export const MAIL_ADDRESS = {
  regex: /^[^\s@<>(),:;"\\[\]\p{Cc}]{1,64}@[^\s@<>(),:;"\\[\]\p{Cc}]{1,190}$/u,
  error: 'a mail address, e.g. ml-team@example.com',
};
