#ifndef FAIRPLAY_TEST_PROVIDER_H
#define FAIRPLAY_TEST_PROVIDER_H

// The same as packager_fairplay_get_provider, for programs that this is linked into.
const void *fairplay_test_provider(void);

#endif
