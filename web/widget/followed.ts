/** Where the panel notes which result was followed: in this tab, for the page it leads to. */
export const followed = 'seam-search:followed';
