/** The same width as in styles/layout.css. */
export const narrow = matchMedia('(max-width: 720px)');
/** Documents and settings are in a sheet, on a narrow screen at its foot, otherwise at its side. */
export const sheeted = matchMedia('(max-width: 1000px)');
/** The header has no room inside the search field for the choice of documents. */
export const crowded = matchMedia('(max-width: 1279px)');
