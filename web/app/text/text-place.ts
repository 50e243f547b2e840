// Finds the place of a character in the nodes of a text.

export interface Place {
  node: Text;
  offset: number;
}

/**
 * Returns the place at an offset in some nodes. With `end`, the position after the last
 * character counts too.
 */
export function placeIn(nodes: Iterable<Node>, offset: number, end: boolean): Place | null {
  let rest = offset;
  let last: Text | null = null;
  for (const text of textsIn(nodes)) {
    if (rest < text.length) return { node: text, offset: rest };
    rest -= text.length;
    last = text;
  }
  return end && last ? { node: last, offset: last.length } : null;
}

function* textsIn(nodes: Iterable<Node>): Generator<Text> {
  for (const node of nodes) {
    if (node instanceof Text) yield node;
    else yield* textsIn(node.childNodes);
  }
}
