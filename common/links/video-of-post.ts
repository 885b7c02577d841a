/**
 * A video that has no address of its own, because it is one of several in a post: the address of the post, and its number
 * in the post as the fragment, such as `https://example.com/post/7#video=2`. Sites do not see fragments.
 */

const FRAGMENT = /^#video=([1-9]\d{0,3})$/;

/** @param post without a fragment @param number counted from 1 */
export const linkOfVideo = (post: string, number: number): string => `${post}#video=${number}`;

/** @returns the address that the site knows; the number is undefined when the link names none */
export function postOf(link: string): { readonly post: string; readonly number: number | undefined } {
  const [post = link] = link.split("#", 1);
  const number = FRAGMENT.exec(link.slice(post.length))?.[1];
  return { post, number: number === undefined ? undefined : Number(number) };
}
