// The words of what is behind the settings: presets, the way back. They come with a bundle of their own.

export const settings = {
  presets: {
    label: 'Preset',
    own: 'Your own',
    names: {
      answers: 'For answers',
      short: 'Short passages for search',
      long: 'Long context',
      langchain: 'LangChain’s tutorial: recursive, 1,000 characters, overlap 200',
    },
  },
  back: 'Back to what it was',
  wentBack: 'The settings are as they were before the last change.',
};
