// The one place where Asio's own non-template code is compiled; every other file only declares it
// (BOOST_ASIO_SEPARATE_COMPILATION).
#include <boost/asio/impl/src.hpp>
