/**
 * The storage key under which the panel notes the followed result in this tab, for the
 * result's page.
 */
export const followed = 'seam-search:followed';
