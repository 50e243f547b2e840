/** The same width as in styles/layout.css. */
export const narrow = matchMedia('(max-width: 900px)');
